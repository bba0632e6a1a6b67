// Generated from docs/openapi.json by `npm run generate:api`. Never edited by hand.

export interface paths {
    "/api/v1/boxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Boxes
         * @description Every box that ever registered, by name.
         */
        get: operations["list_boxes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Datasets
         * @description Dataset versions, newest first.
         */
        get: operations["list_datasets"];
        put?: never;
        /**
         * Upload Dataset
         * @description Upload instruction rows. Every line is checked first; with one bad line nothing is kept.
         */
        post: operations["upload_dataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read Dataset */
        get: operations["read_dataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview Dataset
         * @description The first rows.
         */
        get: operations["preview_dataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Health
         * @description Needs no sign-in.
         */
        get: operations["read_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Jobs
         * @description Jobs, newest first.
         */
        get: operations["list_jobs"];
        put?: never;
        /**
         * Submit Job
         * @description Submit a job. With an `Idempotency-Key`, sending it again answers the same and creates nothing.
         */
        post: operations["submit_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan Job
         * @description Whether the job would fit, and where its state would go. Creates nothing.
         */
        post: operations["plan_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read Job */
        get: operations["read_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Artifacts
         * @description Files of the newest attempt's artifact, in Hugging Face layout.
         */
        get: operations["list_artifacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/artifacts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Artifact
         * @description One file; `Range` is answered, so a broken download resumes.
         */
        get: operations["download_artifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Job
         * @description Ask for the job's end. A running one stops at its next step and is `cancelling` until its processes are gone.
         */
        post: operations["cancel_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Events
         * @description A job's events in order, over all of its attempts.
         */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Log
         * @description Standard output and error of the training process. Ask with `Range: bytes=N-` for what came after N.
         */
        get: operations["read_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Metrics
         * @description Series of the newest attempt, folded into at most so many buckets of a power of two steps each (plus one where
         *     `from_step` lies inside a bucket).
         */
        get: operations["read_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/moves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Moves
         * @description Every move between states: when, by whom, why.
         */
        get: operations["list_moves"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Snapshot
         * @description All of a job's page at one moment, with the id to follow the stream from.
         */
        get: operations["read_snapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/spans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Span Steps
         * @description Steps whose lanes can be had: the newest 200, and those kept.
         */
        get: operations["list_span_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/spans/{step}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Spans
         * @description Who worked and who waited during one step.
         */
        get: operations["read_spans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Me
         * @description Who the credentials belong to.
         */
        get: operations["read_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Models
         * @description Models jobs may name, newest first.
         */
        get: operations["list_models"];
        put?: never;
        /**
         * Register Model
         * @description Give a folder or a Hugging Face repository a name. A folder's weights are looked into, never loaded.
         */
        post: operations["register_model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read Model */
        get: operations["read_model"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign In
         * @description Sign in with name and password; the answer sets an HttpOnly cookie. 429 after too many failures.
         */
        post: operations["sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign Out
         * @description End this browser session.
         */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Setup
         * @description Whether the first admin is still to be made.
         */
        get: operations["read_setup"];
        put?: never;
        /**
         * Complete Setup
         * @description Make the first admin with the one-time code, and sign in. 410 `setup_done` once that was done.
         */
        post: operations["complete_setup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream Events
         * @description Follow one job, or all of the project. `Last-Event-ID` (or `after`) resumes; without either a job's stream
         *     begins at its first event and the project's at the present. `event: reset` says that the place is beyond what is
         *     kept: take a fresh snapshot, the stream goes on from its id. A comment comes every 15 seconds.
         */
        get: operations["stream_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Tokens
         * @description One's own tokens, newest first.
         */
        get: operations["list_tokens"];
        put?: never;
        /**
         * Create Token
         * @description Make an API token for scripts. This answer is the only place where it is ever shown.
         */
        post: operations["create_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Token
         * @description From now on nothing is answered with this token.
         */
        delete: operations["revoke_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/attempts/{attempt_id}/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store Manifest
         * @description The list of the artifact's files, each uploaded before. 409 `files_missing` names those that are not.
         */
        post: operations["store_manifest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/attempts/{attempt_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report Events
         * @description Store events, each `(attempt, seq)` once, and fold them. 409 `event_gap` names the last one stored.
         */
        post: operations["report_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/attempts/{attempt_id}/files/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload File
         * @description Store a file under its hash, which is checked. One that is there already is not read again.
         */
        put: operations["upload_file"];
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Find File
         * @description 200 when the file is stored, else 404.
         */
        head: operations["find_file"];
        patch?: never;
        trace?: never;
    };
    "/internal/v1/attempts/{attempt_id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report Finish
         * @description The attempt is over and no process of it lives.
         */
        post: operations["report_finish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/attempts/{attempt_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report Heartbeat
         * @description Renew the lease; learn whether to stop and which lanes to send.
         */
        post: operations["report_heartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/attempts/{attempt_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Append Log
         * @description Append output that begins at `offset`; what is stored already is passed over.
         */
        put: operations["append_log"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/attempts/{attempt_id}/spans/{step}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Store Spans */
        put: operations["store_spans"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/attempts/{attempt_id}/started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report Started
         * @description Its process runs.
         */
        post: operations["report_started"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/box": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Register Box
         * @description Say what the box is and has. The same name is the same box.
         */
        put: operations["register_box"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim Attempt
         * @description The attempt granted to this box, if any; the same one again until it was reported as started.
         */
        post: operations["claim_attempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/v1/datasets/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Fetch Dataset */
        get: operations["fetch_dataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** ArtifactFile */
        ArtifactFile: {
            /** Name */
            name: string;
            /** Num Bytes */
            num_bytes: number;
            /** Sha256 */
            sha256: string;
        };
        /** ArtifactList */
        ArtifactList: {
            /** Complete */
            complete: boolean;
            /** Items */
            items: components["schemas"]["ArtifactRead"][];
        };
        /** ArtifactManifest */
        ArtifactManifest: {
            /** Fence */
            fence: number;
            /** Files */
            files: components["schemas"]["ArtifactFile"][];
        };
        /** ArtifactRead */
        ArtifactRead: {
            /** Name */
            name: string;
            /** Num Bytes */
            num_bytes: number;
            /** Sha256 */
            sha256: string;
        };
        /**
         * AttemptFinished
         * @description Sent once all events, logs and files are stored and no process of the attempt lives.
         */
        AttemptFinished: {
            /** Exit Code */
            exit_code?: number | null;
            /** Fence */
            fence: number;
            /**
             * Message
             * @default
             */
            message: string;
            outcome: components["schemas"]["Outcome"];
            reason?: components["schemas"]["Reason"] | null;
            /** Signal */
            signal?: number | null;
        };
        /** AttemptRead */
        AttemptRead: {
            /** Attempt Id */
            attempt_id: string;
            /** Box Id */
            box_id: string;
            /** Box Name */
            box_name: string;
            /** Ended At */
            ended_at: string | null;
            /** Exit Code */
            exit_code: number | null;
            /**
             * Granted At
             * Format: date-time
             */
            granted_at: string;
            /** Host Bytes */
            host_bytes: number;
            /**
             * Lease Expires At
             * Format: date-time
             */
            lease_expires_at: string;
            /** Message */
            message: string;
            /** Number */
            number: number;
            /** Nvme Bytes */
            nvme_bytes: number;
            reason: components["schemas"]["Reason"] | null;
            /** Signal */
            signal: number | null;
            /** Started At */
            started_at: string | null;
            state: components["schemas"]["AttemptState"];
            /** Training Pid */
            training_pid: number | null;
        };
        /** AttemptStarted */
        AttemptStarted: {
            /** Fence */
            fence: number;
            shim: components["schemas"]["ProcessIdentity"];
            training: components["schemas"]["ProcessIdentity"] | null;
        };
        /**
         * AttemptState
         * @enum {string}
         */
        AttemptState: "granted" | "starting" | "running" | "succeeded" | "failed" | "cancelled" | "interrupted" | "lost";
        /** BoxHealth */
        BoxHealth: {
            /** Box Id */
            box_id: string;
            /** Name */
            name: string;
            /** Seen Age Seconds */
            seen_age_seconds: number;
        };
        /** BoxRead */
        BoxRead: {
            /** Box Id */
            box_id: string;
            /** Is Alive */
            is_alive: boolean;
            /** Name */
            name: string;
            /**
             * Seen At
             * Format: date-time
             */
            seen_at: string;
            state: components["schemas"]["BoxState"];
        };
        /** BoxRegistered */
        BoxRegistered: {
            /** Box Id */
            box_id: string;
            /** Lease Seconds */
            lease_seconds: number;
            /** Queue */
            queue: string;
        };
        /**
         * BoxState
         * @description What the agent says of its box when it registers and at each poll.
         */
        BoxState: {
            /**
             * Agent Id
             * @default
             */
            agent_id: string;
            /** Agent Version */
            agent_version: string;
            /** Boot Id */
            boot_id: string;
            /** Cpu Cores */
            cpu_cores: number;
            /**
             * Gpus
             * @default []
             */
            gpus: components["schemas"]["GpuState"][];
            /** Host Ram Available Bytes */
            host_ram_available_bytes: number;
            /** Host Ram Bytes */
            host_ram_bytes: number;
            /** Name */
            name: string;
            /** Nvme */
            nvme: components["schemas"]["NvmePathState"][];
        };
        /** BucketRead */
        BucketRead: {
            /** Count */
            count: number;
            /** From Step */
            from_step: number;
            /** Last */
            last: number | null;
            /** Max */
            max: number | null;
            /** Min */
            min: number | null;
            /** Nan Count */
            nan_count: number;
            /** To Step */
            to_step: number;
        };
        /**
         * Claim
         * @description The right and the duty to run one attempt.
         */
        Claim: {
            /** Attempt Id */
            attempt_id: string;
            dataset: components["schemas"]["DatasetBlob"];
            /** Fence */
            fence: number;
            /** Job Id */
            job_id: string;
            /** Lease Seconds */
            lease_seconds: number;
            /** Model */
            model: components["schemas"]["LocalFolder"] | components["schemas"]["HuggingFaceRepo"];
            /** Number */
            number: number;
            /** Project Id */
            project_id: string;
            spec: components["schemas"]["JobSpec"];
        };
        /**
         * DatasetBlob
         * @description A dataset version: fetched from the API by content hash into the box's cache.
         */
        DatasetBlob: {
            /** Dataset Id */
            dataset_id: string;
            /** Name */
            name: string;
            /** Num Bytes */
            num_bytes: number;
            /** Sha256 */
            sha256: string;
        };
        /** DatasetPreview */
        DatasetPreview: {
            /** Rows */
            rows: components["schemas"]["InstructionRow"][];
        };
        /** DatasetRead */
        DatasetRead: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Created By */
            created_by: string;
            /** Dataset Id */
            dataset_id: string;
            /** Name */
            name: string;
            /** Num Bytes */
            num_bytes: number;
            /** Num Rows */
            num_rows: number;
            /** Project Id */
            project_id: string;
            /** Sha256 */
            sha256: string;
        };
        /** DatasetRef */
        DatasetRef: {
            /** Dataset Id */
            dataset_id: string;
            /** Name */
            name: string;
            /** Sha256 */
            sha256: string;
        };
        /**
         * EngineSpec
         * @description The engine's own settings; the defaults suit most machines.
         */
        EngineSpec: {
            /** Buffer Bytes */
            buffer_bytes?: number | null;
            /** Partition Bytes */
            partition_bytes?: number | null;
            /**
             * Schedule
             * @default auto
             * @enum {string}
             */
            schedule: "auto" | "plain" | "into_forward";
        };
        /** EvaluationCompleted */
        EvaluationCompleted: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "evaluation.completed";
            /** Loss */
            loss: number | null;
            /** Rows */
            rows: number;
            /** Seq */
            seq: number;
            /** Step */
            step: number;
            /**
             * Time
             * Format: date-time
             */
            time: string;
            when: components["schemas"]["When"];
        };
        /** EvaluationSpec */
        EvaluationSpec: {
            /**
             * Rows
             * @default 64
             */
            rows: number;
            /**
             * Sample Prompts
             * @default []
             */
            sample_prompts: string[];
            /**
             * Sample Tokens
             * @default 64
             */
            sample_tokens: number;
        };
        /** EventBatch */
        EventBatch: {
            /** Events */
            events: (components["schemas"]["PhaseChanged"] | components["schemas"]["PlanMade"] | components["schemas"]["StepCompleted"] | components["schemas"]["EvaluationCompleted"] | components["schemas"]["SampleGenerated"] | components["schemas"]["TrainingFinished"] | components["schemas"]["TrainingStopped"] | components["schemas"]["TrainingFailed"])[];
            /** Fence */
            fence: number;
        };
        /** EventPage */
        EventPage: {
            /** Items */
            items: components["schemas"]["StoredEvent"][];
            /** Last Event Id */
            last_event_id: number;
        };
        /** EventsStored */
        EventsStored: {
            /** Last Seq */
            last_seq: number;
        };
        /** GpuState */
        GpuState: {
            /** Name */
            name: string;
            /** Total Bytes */
            total_bytes: number;
            /** Uuid */
            uuid: string;
        };
        /** HealthRead */
        HealthRead: {
            /** Boxes */
            boxes: components["schemas"]["BoxHealth"][];
            /**
             * Database
             * @enum {string}
             */
            database: "ok" | "unreachable";
            /** Outbox Pending */
            outbox_pending: number;
            /** Scheduler Age Seconds */
            scheduler_age_seconds: number | null;
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "degraded";
            /** Version */
            version: string;
        };
        /** Heartbeat */
        Heartbeat: {
            /** Fence */
            fence: number;
        };
        /** HeartbeatAnswer */
        HeartbeatAnswer: {
            /** Cancel Requested */
            cancel_requested: boolean;
            /** Wanted Spans */
            wanted_spans: number[];
        };
        /** HuggingFaceRepo */
        HuggingFaceRepo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "hugging_face";
            /** Repo */
            repo: string;
            /**
             * Revision
             * @default main
             */
            revision: string;
        };
        /**
         * InstructionRow
         * @description One row: what is asked, and the answer to learn. Loss is taken on `output` only.
         */
        InstructionRow: {
            /**
             * Input
             * @default
             */
            input: string;
            /** Instruction */
            instruction: string;
            /** Output */
            output: string;
        };
        /** JobRead */
        JobRead: {
            /** Attempt Number */
            attempt_number: number;
            /** Cancel Requested At */
            cancel_requested_at: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Created By */
            created_by: string;
            dataset: components["schemas"]["DatasetRef"];
            /** Eval Loss After */
            eval_loss_after: number | null;
            /** Eval Loss Before */
            eval_loss_before: number | null;
            /** Finished At */
            finished_at: string | null;
            /** Job Id */
            job_id: string;
            /** Last Loss */
            last_loss: number | null;
            /** Message */
            message: string;
            model: components["schemas"]["ModelRef"];
            /** Name */
            name: string;
            phase: components["schemas"]["Phase"] | null;
            /** Project Id */
            project_id: string;
            /** Queue Position */
            queue_position: number | null;
            reason: components["schemas"]["Reason"] | null;
            reason_text: components["schemas"]["ReasonText"] | null;
            spec: components["schemas"]["JobSpec"];
            /** Started At */
            started_at: string | null;
            state: components["schemas"]["JobState"];
            /** Step */
            step: number | null;
            /** Total Steps */
            total_steps: number | null;
        };
        /**
         * JobSnapshot
         * @description All a page needs to draw a job; follow it with `/stream?job_id=...&after=<last_event_id>`.
         */
        JobSnapshot: {
            attempt: components["schemas"]["AttemptRead"] | null;
            /** Evaluations */
            evaluations: components["schemas"]["EvaluationCompleted"][];
            job: components["schemas"]["JobRead"];
            /** Last Event Id */
            last_event_id: number;
            last_step: components["schemas"]["StepCompleted"] | null;
            phase: components["schemas"]["Phase"] | null;
            plan: components["schemas"]["PlanMade"] | null;
            result: components["schemas"]["TrainingFinished"] | null;
            /** Samples */
            samples: components["schemas"]["SampleGenerated"][];
            /**
             * Server Time
             * Format: date-time
             */
            server_time: string;
        };
        /**
         * JobSpec
         * @description One fine-tuning job, as JSON or YAML.
         */
        JobSpec: {
            /**
             * Dataset
             * @example jargon
             */
            dataset: string;
            /**
             * @default {
             *       "schedule": "auto"
             *     }
             */
            engine: components["schemas"]["EngineSpec"];
            /**
             * @default {
             *       "rows": 64,
             *       "sample_prompts": [],
             *       "sample_tokens": 64
             *     }
             */
            evaluation: components["schemas"]["EvaluationSpec"];
            /**
             * Model
             * @example smollm2-135m-instruct
             */
            model: string;
            /**
             * Name
             * @example jargon on SmolLM2
             */
            name: string;
            /**
             * @default {
             *       "host_bytes": 0
             *     }
             */
            placement: components["schemas"]["PlacementSpec"];
            /**
             * Recipe
             * @default sft
             */
            recipe: string;
            /**
             * @default {
             *       "batch_size": 4,
             *       "dtype": "float32",
             *       "epochs": 1,
             *       "gradient_accumulation": 1,
             *       "gradient_checkpointing": false,
             *       "learning_rate": 0.00002,
             *       "learning_rate_schedule": "cosine",
             *       "max_grad_norm": 1,
             *       "seed": 0,
             *       "sequence_length": 256,
             *       "warmup_steps": 0,
             *       "weight_decay": 0
             *     }
             */
            training: components["schemas"]["TrainingSpec"];
            /**
             * Version
             * @default 1
             * @constant
             */
            version: 1;
        };
        /**
         * JobState
         * @enum {string}
         */
        JobState: "queued" | "waiting" | "starting" | "running" | "pausing" | "paused" | "saving" | "cancelling" | "succeeded" | "failed" | "cancelled";
        /** JobSummary */
        JobSummary: {
            /** Attempt Number */
            attempt_number: number;
            /** Cancel Requested At */
            cancel_requested_at: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Created By */
            created_by: string;
            /** Eval Loss After */
            eval_loss_after: number | null;
            /** Eval Loss Before */
            eval_loss_before: number | null;
            /** Finished At */
            finished_at: string | null;
            /** Job Id */
            job_id: string;
            /** Last Loss */
            last_loss: number | null;
            model: components["schemas"]["ModelRef"];
            /** Name */
            name: string;
            phase: components["schemas"]["Phase"] | null;
            /** Project Id */
            project_id: string;
            /** Queue Position */
            queue_position: number | null;
            reason: components["schemas"]["Reason"] | null;
            /** Started At */
            started_at: string | null;
            state: components["schemas"]["JobState"];
            /** Step */
            step: number | null;
            /** Total Steps */
            total_steps: number | null;
        };
        /**
         * LocalFolder
         * @description A folder in Hugging Face layout that the box can read.
         */
        LocalFolder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "local_folder";
            /** Path */
            path: string;
        };
        /** LogStored */
        LogStored: {
            /** Size */
            size: number;
        };
        /** MetricsRead */
        MetricsRead: {
            /** Last Step */
            last_step: number | null;
            /** Series */
            series: components["schemas"]["Series"][];
        };
        /** ModelRead */
        ModelRead: {
            /** Architecture */
            architecture: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Dtype */
            dtype: string | null;
            /** Model Id */
            model_id: string;
            /** Name */
            name: string;
            /** Num Parameters */
            num_parameters: number | null;
            /** Project Id */
            project_id: string;
            /** Source */
            source: components["schemas"]["LocalFolder"] | components["schemas"]["HuggingFaceRepo"];
        };
        /** ModelRef */
        ModelRef: {
            /** Model Id */
            model_id: string;
            /** Name */
            name: string;
        };
        /** ModelRequest */
        ModelRequest: {
            /**
             * Name
             * @example smollm2-135m-instruct
             */
            name: string;
            /**
             * Source
             * @example {
             *       "kind": "local_folder",
             *       "path": "/models/smollm2-135m-instruct"
             *     }
             */
            source: components["schemas"]["LocalFolder"] | components["schemas"]["HuggingFaceRepo"];
        };
        /** MovePage */
        MovePage: {
            /** Items */
            items: components["schemas"]["MoveRead"][];
        };
        /** MoveRead */
        MoveRead: {
            /** Actor */
            actor: string;
            from_state: components["schemas"]["JobState"] | null;
            /** Message */
            message: string;
            reason: components["schemas"]["Reason"] | null;
            /**
             * Time
             * Format: date-time
             */
            time: string;
            to_state: components["schemas"]["JobState"];
        };
        /** NvmePathState */
        NvmePathState: {
            /** Filesystem */
            filesystem: string;
            /** Free Bytes */
            free_bytes: number;
            /** Path */
            path: string;
            /** Total Bytes */
            total_bytes: number;
        };
        /**
         * Outcome
         * @enum {string}
         */
        Outcome: "succeeded" | "failed" | "cancelled" | "interrupted";
        /** Page[BoxRead] */
        Page_BoxRead_: {
            /** Items */
            items: components["schemas"]["BoxRead"][];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /** Page[DatasetRead] */
        Page_DatasetRead_: {
            /** Items */
            items: components["schemas"]["DatasetRead"][];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /** Page[JobSummary] */
        Page_JobSummary_: {
            /** Items */
            items: components["schemas"]["JobSummary"][];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /** Page[ModelRead] */
        Page_ModelRead_: {
            /** Items */
            items: components["schemas"]["ModelRead"][];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /** Page[TokenRead] */
        Page_TokenRead_: {
            /** Items */
            items: components["schemas"]["TokenRead"][];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /**
         * Phase
         * @description In the order a run passes through them.
         * @enum {string}
         */
        Phase: "load" | "tokenize" | "plan" | "evaluate_before" | "train" | "evaluate_after" | "export";
        /** PhaseChanged */
        PhaseChanged: {
            /**
             * Detail
             * @default
             */
            detail: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "phase.changed";
            phase: components["schemas"]["Phase"];
            /** Seq */
            seq: number;
            /**
             * Time
             * Format: date-time
             */
            time: string;
        };
        /**
         * PlacementSpec
         * @description Which tier may hold how much optimizer state. Host RAM fills first, then NVMe.
         *
         *     None means "as much as the state needs". The words `host` and `nvme` stand for all of it there.
         */
        PlacementSpec: {
            /** Host Bytes */
            host_bytes?: number | null;
            /** Nvme Bytes */
            nvme_bytes?: number | null;
        };
        /** PlanBox */
        PlanBox: {
            /** Box Id */
            box_id: string;
            /** Host Ram Available Bytes */
            host_ram_available_bytes: number;
            /** Host Ram Bytes */
            host_ram_bytes: number;
            /** Name */
            name: string;
            /** Nvme Free Bytes */
            nvme_free_bytes: number;
            /** Nvme Total Bytes */
            nvme_total_bytes: number;
        };
        /**
         * PlanMade
         * @description What the engine decided, before the first step.
         */
        PlanMade: {
            /** Buffer Bytes */
            buffer_bytes: number;
            /** Direct Io */
            direct_io: boolean;
            /** Eval Rows */
            eval_rows: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "plan.made";
            limit_bytes: components["schemas"]["TierBytes"];
            /** Num Parameters */
            num_parameters: number;
            /** Num Partitions */
            num_partitions: number;
            /** Schedule */
            schedule: string;
            /** Schedule Reason */
            schedule_reason: string;
            /** Seq */
            seq: number;
            state_bytes: components["schemas"]["TierBytes"];
            /**
             * Time
             * Format: date-time
             */
            time: string;
            /** Total Steps */
            total_steps: number;
            /** Train Rows */
            train_rows: number;
        };
        /** PlanRead */
        PlanRead: {
            box: components["schemas"]["PlanBox"] | null;
            /** Fits */
            fits: boolean | null;
            /** Notes */
            notes: string[];
            /** Num Parameters */
            num_parameters: number | null;
            /** Problems */
            problems: components["schemas"]["ProblemItem"][];
            /** State Bytes */
            state_bytes: number | null;
            state_bytes_by_tier: components["schemas"]["TierBytes"] | null;
        };
        /** Problem */
        Problem: {
            /** Code */
            code: string;
            /** Detail */
            detail: string;
            /**
             * Errors
             * @default []
             */
            errors: components["schemas"]["ProblemItem"][];
            /**
             * Hint
             * @default
             */
            hint: string;
            /**
             * Request Id
             * @default
             */
            request_id: string;
            /** Status */
            status: number;
            /** Title */
            title: string;
            /**
             * Type
             * @default about:blank
             */
            type: string;
        };
        /**
         * ProblemItem
         * @description One thing wrong with what was sent.
         */
        ProblemItem: {
            /** Code */
            code: string;
            /**
             * Hint
             * @default
             */
            hint: string;
            /** Message */
            message: string;
            /** Pointer */
            pointer: string;
        };
        /**
         * ProcessIdentity
         * @description Which process this is, even after pids were reused or the machine restarted.
         */
        ProcessIdentity: {
            /** Boot Id */
            boot_id: string;
            /** Pid */
            pid: number;
            /** Start Ticks */
            start_ticks: number;
        };
        /**
         * Reason
         * @enum {string}
         */
        Reason: "no_box" | "box_busy" | "box_too_small" | "cancelled_by_user" | "interrupted" | "agent_lost" | "box_rebooted" | "host_ram_exhausted" | "device_out_of_memory" | "disk_full" | "disk_error" | "killed_by_signal" | "model_missing" | "model_unsupported" | "dataset_invalid" | "placement_impossible" | "diverged" | "user_error" | "internal";
        /** ReasonText */
        ReasonText: {
            /** Next Step */
            next_step: string;
            /** Sentence */
            sentence: string;
        };
        /**
         * Role
         * @enum {string}
         */
        Role: "viewer" | "member" | "maintainer" | "admin" | "box";
        /** SampleGenerated */
        SampleGenerated: {
            /** Index */
            index: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "sample.generated";
            /** Prompt */
            prompt: string;
            /** Seq */
            seq: number;
            /** Text */
            text: string;
            /**
             * Time
             * Format: date-time
             */
            time: string;
            when: components["schemas"]["When"];
        };
        /** Series */
        Series: {
            /** Buckets */
            buckets: components["schemas"]["BucketRead"][];
            name: components["schemas"]["SeriesName"];
        };
        /**
         * SeriesName
         * @enum {string}
         */
        SeriesName: "loss" | "learning_rate" | "grad_norm" | "tokens_per_second" | "step_seconds" | "overlap_share" | "stall_nvme_read_seconds" | "stall_nvme_write_seconds" | "stall_update_seconds" | "read_bytes" | "written_bytes" | "occupancy_device_bytes" | "occupancy_host_bytes" | "occupancy_nvme_bytes" | "rss_bytes" | "eval_loss";
        /** SetupRead */
        SetupRead: {
            /** Needs Setup */
            needs_setup: boolean;
        };
        /** SetupRequest */
        SetupRequest: {
            /** Code */
            code: string;
            /**
             * Password
             * @example correct horse battery
             */
            password: string;
            /**
             * Username
             * @example ada
             */
            username: string;
        };
        /** SignInRequest */
        SignInRequest: {
            /**
             * Password
             * @example correct horse battery
             */
            password: string;
            /**
             * Username
             * @example ada
             */
            username: string;
        };
        /**
         * Span
         * @description One bar in a step's lanes. Times are seconds since the step's start.
         */
        Span: {
            /**
             * Cause
             * @default
             */
            cause: string;
            /** End Seconds */
            end_seconds: number;
            /**
             * Lane
             * @enum {string}
             */
            lane: "compute" | "h2d" | "d2h" | "update" | "nvme_read" | "nvme_write" | "stall";
            /**
             * Num Bytes
             * @default 0
             */
            num_bytes: number;
            /** Partition */
            partition?: number | null;
            /** Start Seconds */
            start_seconds: number;
        };
        /** SpanStep */
        SpanStep: {
            /** Step */
            step: number;
            /** Stored */
            stored: boolean;
        };
        /** SpanSteps */
        SpanSteps: {
            /** Steps */
            steps: components["schemas"]["SpanStep"][];
        };
        /** SpansRequested */
        SpansRequested: {
            /**
             * Status
             * @default requested
             * @constant
             */
            status: "requested";
        };
        /**
         * StallSeconds
         * @description How long compute waited in one step, by cause.
         */
        StallSeconds: {
            /**
             * Nvme Read
             * @default 0
             */
            nvme_read: number;
            /**
             * Nvme Write
             * @default 0
             */
            nvme_write: number;
            /**
             * Update
             * @default 0
             */
            update: number;
        };
        /**
         * StateChanged
         * @description A legal move of the job. Written by the service itself, so it has no `seq`.
         */
        StateChanged: {
            /** Actor */
            actor: string;
            from_state: components["schemas"]["JobState"] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "state.changed";
            /** Message */
            message: string;
            reason: components["schemas"]["Reason"] | null;
            /** Seq */
            seq?: null;
            /**
             * Time
             * Format: date-time
             */
            time: string;
            to_state: components["schemas"]["JobState"];
        };
        /**
         * StepCompleted
         * @description One optimizer step. Non-finite numbers travel as null, with `finite` false.
         */
        StepCompleted: {
            /**
             * Finite
             * @default true
             */
            finite: boolean;
            /** Grad Norm */
            grad_norm: number | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "step.completed";
            /** Learning Rate */
            learning_rate: number;
            /** Loss */
            loss: number | null;
            occupancy_bytes: components["schemas"]["TierBytes"];
            /** Overlap Share */
            overlap_share: number | null;
            /** Read Bytes */
            read_bytes: number;
            /** Rss Bytes */
            rss_bytes: number;
            /** Seq */
            seq: number;
            /**
             * Skipped
             * @default false
             */
            skipped: boolean;
            stall_seconds: components["schemas"]["StallSeconds"];
            /** Step */
            step: number;
            /** Step Seconds */
            step_seconds: number;
            /**
             * Time
             * Format: date-time
             */
            time: string;
            /** Tokens */
            tokens: number;
            /** Tokens Per Second */
            tokens_per_second: number;
            /** Written Bytes */
            written_bytes: number;
        };
        /**
         * StepSpans
         * @description The lanes of one step: a file of its own on the box, sent on request or at the end.
         */
        StepSpans: {
            /** Duration Seconds */
            duration_seconds: number;
            /** Overlap Share */
            overlap_share: number | null;
            /** Spans */
            spans: components["schemas"]["Span"][];
            stall_seconds: components["schemas"]["StallSeconds"];
            /** Step */
            step: number;
        };
        /**
         * StoredEvent
         * @description One event with its place in the project's single order. Also the `data` of each message of `/stream`.
         */
        StoredEvent: {
            /** Attempt Id */
            attempt_id: string | null;
            /** Event */
            event: components["schemas"]["PhaseChanged"] | components["schemas"]["PlanMade"] | components["schemas"]["StepCompleted"] | components["schemas"]["EvaluationCompleted"] | components["schemas"]["SampleGenerated"] | components["schemas"]["TrainingFinished"] | components["schemas"]["TrainingStopped"] | components["schemas"]["TrainingFailed"] | components["schemas"]["StateChanged"];
            /** Event Id */
            event_id: number;
            /** Job Id */
            job_id: string;
            /**
             * Time
             * Format: date-time
             */
            time: string;
        };
        /** TierBytes */
        TierBytes: {
            /**
             * Device
             * @default 0
             */
            device: number;
            /**
             * Host
             * @default 0
             */
            host: number;
            /**
             * Nvme
             * @default 0
             */
            nvme: number;
        };
        /** TokenCreated */
        TokenCreated: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Last Used At */
            last_used_at: string | null;
            /** Name */
            name: string;
            /** Token */
            token: string;
            /** Token Id */
            token_id: string;
        };
        /** TokenRead */
        TokenRead: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Last Used At */
            last_used_at: string | null;
            /** Name */
            name: string;
            /** Token Id */
            token_id: string;
        };
        /** TokenRequest */
        TokenRequest: {
            /** Expires In Days */
            expires_in_days?: number | null;
            /**
             * Name
             * @example nightly script
             */
            name: string;
        };
        /** TrainingFailed */
        TrainingFailed: {
            /**
             * Detail
             * @default
             */
            detail: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "training.failed";
            /** Message */
            message: string;
            reason: components["schemas"]["Reason"];
            /** Seq */
            seq: number;
            /**
             * Time
             * Format: date-time
             */
            time: string;
        };
        /**
         * TrainingFinished
         * @description The work is done and the artifact's files are written; the process may still be alive.
         */
        TrainingFinished: {
            /** Eval Loss After */
            eval_loss_after: number | null;
            /** Eval Loss Before */
            eval_loss_before: number | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "training.finished";
            /** Overlap Share */
            overlap_share: number | null;
            /** Peak Rss Bytes */
            peak_rss_bytes: number;
            /** Seconds To First Step */
            seconds_to_first_step: number;
            /** Seq */
            seq: number;
            state_bytes: components["schemas"]["TierBytes"];
            /** Steps */
            steps: number;
            /**
             * Time
             * Format: date-time
             */
            time: string;
            /** Tokens Per Second */
            tokens_per_second: number;
        };
        /**
         * TrainingSpec
         * @description How to train. Each default is a sane first try for supervised fine-tuning.
         */
        TrainingSpec: {
            /**
             * Batch Size
             * @default 4
             */
            batch_size: number;
            /**
             * Dtype
             * @default float32
             * @enum {string}
             */
            dtype: "float32" | "bfloat16";
            /**
             * Epochs
             * @default 1
             */
            epochs: number;
            /**
             * Gradient Accumulation
             * @default 1
             */
            gradient_accumulation: number;
            /**
             * Gradient Checkpointing
             * @default false
             */
            gradient_checkpointing: boolean;
            /**
             * Learning Rate
             * @default 0.00002
             */
            learning_rate: number;
            /**
             * Learning Rate Schedule
             * @default cosine
             * @enum {string}
             */
            learning_rate_schedule: "constant" | "linear" | "cosine";
            /**
             * Max Grad Norm
             * @default 1
             */
            max_grad_norm: number | null;
            /** Max Steps */
            max_steps?: number | null;
            /**
             * Seed
             * @default 0
             */
            seed: number;
            /**
             * Sequence Length
             * @default 256
             */
            sequence_length: number;
            /**
             * Warmup Steps
             * @default 0
             */
            warmup_steps: number;
            /**
             * Weight Decay
             * @default 0
             */
            weight_decay: number;
        };
        /**
         * TrainingStopped
         * @description The process stopped at a step boundary because it was asked to.
         */
        TrainingStopped: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "training.stopped";
            /** Seq */
            seq: number;
            /** Step */
            step: number;
            /**
             * Time
             * Format: date-time
             */
            time: string;
        };
        /** UserRead */
        UserRead: {
            /** Project Id */
            project_id: string;
            role: components["schemas"]["Role"];
            /** User Id */
            user_id: string;
            /** Username */
            username: string;
        };
        /**
         * When
         * @enum {string}
         */
        When: "before" | "during" | "after";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_boxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_BoxRead_"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_datasets: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_DatasetRead_"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    upload_dataset: {
        parameters: {
            query: {
                /** @description A label; jobs may name it. */
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description JSONL: one `{"instruction", "input", "output"}` object a line; `input` may be left out. */
        requestBody: {
            content: {
                "application/octet-stream": string;
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The same content was uploaded before; this is it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetRead"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_dataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    preview_dataset: {
        parameters: {
            query?: {
                rows?: number;
            };
            header?: never;
            path: {
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetPreview"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthRead"];
                };
            };
            /** @description The scheduler or the database stands still. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                /** @description Only jobs in this state. */
                state?: components["schemas"]["JobState"] | null;
                /** @description Only jobs whose name contains this. */
                q?: string | null;
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_JobSummary_"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    submit_job: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobSpec"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    plan_job: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobSpec"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_artifacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactList"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    download_artifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description Events with a larger id. */
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_log: {
        parameters: {
            query?: {
                /** @description Null: the newest attempt. */
                attempt_id?: string | null;
            };
            header?: {
                Range?: string | null;
            };
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The asked-for range, at most 4 MiB of it; see `Content-Range`. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Beyond the end; `Content-Range: bytes *\/SIZE` says where that is. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_metrics: {
        parameters: {
            query?: {
                /** @description Series, separated by commas. */
                names?: string;
                from_step?: number;
                to_step?: number | null;
                buckets?: number;
            };
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_moves: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovePage"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_snapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobSnapshot"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_span_steps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpanSteps"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_spans: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
                step: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepSpans"];
                };
            };
            /** @description The box was asked; come again after `Retry-After`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpansRequested"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_models: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ModelRead_"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    register_model: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelRequest"];
            };
        };
        responses: {
            /** @description It was registered already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelRead"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_model: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_setup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    complete_setup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetupRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRead"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stream_events: {
        parameters: {
            query?: {
                job_id?: string | null;
                /** @description Events with a larger id. */
                after?: number | null;
            };
            header?: {
                "last-event-id"?: number | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Each message: `id` the event id, `event` the kind, `data` a `StoredEvent`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_TokenRead_"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreated"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    store_manifest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attempt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArtifactManifest"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    report_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attempt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventBatch"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsStored"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    upload_file: {
        parameters: {
            query: {
                fence: number;
            };
            header?: never;
            path: {
                attempt_id: string;
                sha256: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    find_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attempt_id: string;
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    report_finish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attempt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttemptFinished"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    report_heartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attempt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Heartbeat"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatAnswer"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    append_log: {
        parameters: {
            query: {
                offset: number;
                fence: number;
            };
            header?: never;
            path: {
                attempt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogStored"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    store_spans: {
        parameters: {
            query: {
                fence: number;
            };
            header?: never;
            path: {
                attempt_id: string;
                step: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StepSpans"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    report_started: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attempt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttemptStarted"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    register_box: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoxState"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoxRegistered"];
                };
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    claim_attempt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoxState"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
            /** @description Nothing to do. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    fetch_dataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, where, and the next step. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "unknown_model",
                     *       "detail": "There is no model 'smollm'.",
                     *       "errors": [
                     *         {
                     *           "code": "unknown_model",
                     *           "hint": "Registered: smollm2-135m-instruct.",
                     *           "message": "There is no model 'smollm'.",
                     *           "pointer": "/model"
                     *         }
                     *       ],
                     *       "hint": "Registered: smollm2-135m-instruct.",
                     *       "request_id": "5f0c9a7be1d24c33",
                     *       "status": 422,
                     *       "title": "The job names something that is not there",
                     *       "type": "about:blank"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
