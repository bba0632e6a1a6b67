"""One example of every contract that travels, full enough that each field has a value of its own."""

from datetime import UTC, datetime
from typing import Final

from contracts import attempts, events, job, spool
from contracts.base import Contract
from contracts.dataset import InstructionRow
from contracts.problem import Problem, ProblemItem
from contracts.reasons import Reason

_TIME: Final = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
_SHA256: Final = "0123456789abcdef" * 4
_TIERS: Final = events.TierBytes(device=1, host=2, nvme=3)
_STALLS: Final = events.StallSeconds(nvme_read=0.1, nvme_write=0.2, update=0.3)
_IDENTITY: Final = attempts.ProcessIdentity(pid=101, start_ticks=202, boot_id="boot-1")

SPEC: Final = job.JobSpec(
    name="jargon on SmolLM2",
    model="smollm2-135m-instruct",
    dataset="jargon",
    recipe="sft",
    training=job.TrainingSpec(max_steps=40, epochs=2.0, batch_size=8, gradient_accumulation=2, warmup_steps=3, seed=7),
    evaluation=job.EvaluationSpec(rows=32, sample_prompts=["What is a kluge?"], sample_tokens=48),
    placement=job.PlacementSpec(host_bytes=0, nvme_bytes=2 * 2**30),
    engine=job.EngineSpec(buffer_bytes=2**26, partition_bytes=2**24, schedule="plain"),
)

EXAMPLES: Final[dict[str, Contract]] = {
    "job_spec": SPEC,
    "job_spec_defaults": job.JobSpec(name="n", model="m", dataset="d"),
    "phase_changed": events.PhaseChanged(seq=1, time=_TIME, phase=events.Phase.LOAD, detail="134 M parameters"),
    "plan_made": events.PlanMade(
        seq=2, time=_TIME, num_parameters=10, num_partitions=2, total_steps=40, train_rows=90, eval_rows=10,
        state_bytes=_TIERS, limit_bytes=_TIERS, buffer_bytes=5, schedule="plain", schedule_reason="one device",
        direct_io=True,
    ),
    "step_completed": events.StepCompleted(
        seq=3, time=_TIME, step=1, loss=2.5, learning_rate=1e-5, grad_norm=0.7, step_seconds=1.5, tokens=512,
        tokens_per_second=341.3, overlap_share=0.75, stall_seconds=_STALLS, read_bytes=100, written_bytes=200,
        occupancy_bytes=_TIERS, rss_bytes=300,
    ),
    "step_not_finite": events.StepCompleted(
        seq=4, time=_TIME, step=2, loss=None, learning_rate=1e-5, grad_norm=None, finite=False, skipped=True,
        step_seconds=1.5, tokens=512, tokens_per_second=341.3, overlap_share=None, stall_seconds=_STALLS,
        read_bytes=0, written_bytes=0, occupancy_bytes=_TIERS, rss_bytes=300,
    ),
    "evaluation_completed": events.EvaluationCompleted(
        seq=5, time=_TIME, when=events.When.BEFORE, step=0, loss=3.1, rows=32
    ),
    "sample_generated": events.SampleGenerated(
        seq=6, time=_TIME, when=events.When.AFTER, index=0, prompt="What is a kluge?", text="A clever trick."
    ),
    "training_finished": events.TrainingFinished(
        seq=7, time=_TIME, steps=40, eval_loss_before=3.1, eval_loss_after=2.2, tokens_per_second=88.0,
        seconds_to_first_step=12.5, overlap_share=0.7, peak_rss_bytes=400, state_bytes=_TIERS,
    ),
    "training_stopped": events.TrainingStopped(seq=8, time=_TIME, step=3),
    "training_failed": events.TrainingFailed(
        seq=9, time=_TIME, reason=Reason.DISK_FULL, message="3 bytes are missing", detail="Traceback"
    ),
    "step_spans": events.StepSpans(
        step=1, duration_seconds=1.5, overlap_share=0.75, stall_seconds=_STALLS,
        spans=[
            events.Span(
                lane="nvme_read", start_seconds=0.1, end_seconds=0.2, partition=1, num_bytes=4, cause="read ahead"
            )
        ],
    ),
    "claim": attempts.Claim(
        attempt_id="att_1", job_id="job_1", project_id="prj_default", number=2, fence=3, spec=SPEC,
        model=attempts.HuggingFaceRepo(repo="org/model", revision="abc"),
        dataset=attempts.DatasetBlob(dataset_id="ds_1", name="jargon", sha256=_SHA256, num_bytes=9),
        lease_seconds=30.0,
    ),
    "local_folder": attempts.LocalFolder(path="/models/m"),
    "box_state": attempts.BoxState(
        name="box", agent_id="a1", boot_id="boot-1", host_ram_bytes=10, host_ram_available_bytes=9, cpu_cores=2,
        gpus=[attempts.GpuState(uuid="GPU-1", name="card", total_bytes=8)],
        nvme=[attempts.NvmePathState(path="/nvme", total_bytes=7, free_bytes=6, filesystem="ext4")],
        agent_version="0.1.0",
    ),
    "box_registered": attempts.BoxRegistered(box_id="box_1", queue="spillway.box.box_1", lease_seconds=30.0),
    "attempt_started": attempts.AttemptStarted(fence=3, shim=_IDENTITY, training=_IDENTITY),
    "heartbeat": attempts.Heartbeat(fence=3),
    "heartbeat_answer": attempts.HeartbeatAnswer(cancel_requested=True, wanted_spans=[1, 2]),
    "event_batch": attempts.EventBatch(
        fence=3, events=[events.PhaseChanged(seq=1, time=_TIME, phase=events.Phase.TRAIN, detail="")]
    ),
    "events_stored": attempts.EventsStored(last_seq=9),
    "artifact_manifest": attempts.ArtifactManifest(
        fence=3, files=[attempts.ArtifactFile(name="sub/model.safetensors", num_bytes=5, sha256=_SHA256)]
    ),
    "attempt_finished": attempts.AttemptFinished(
        fence=3, outcome=attempts.Outcome.FAILED, reason=Reason.HOST_RAM_EXHAUSTED, message="9 of 10 GiB", signal=9
    ),
    "exit_record": attempts.ExitRecord(exit_code=None, signal=9, ended_at=_TIME, peak_rss_bytes=400),
    "run_order": spool.RunOrder(
        attempt_id="att_1", spec=SPEC, model_path="/models/m", model_revision=None, dataset_path="/data/d.jsonl",
        nvme_paths=["/nvme"], artifact_path="/data/artifact",
    ),
    "instruction_row": InstructionRow(
        instruction="What is a kluge?", input="in hacker jargon", output="A clever trick."
    ),
    "problem": Problem(
        title="The placement cannot hold the state", status=422, code="placement_impossible", detail="needs 9 bytes",
        hint="Use NVMe.", request_id="req_1",
        errors=[ProblemItem(pointer="/placement", code="too_small", message="1 byte is missing", hint="add it")],
    ),
}  # fmt: skip
