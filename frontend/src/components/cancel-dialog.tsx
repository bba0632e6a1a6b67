import { useMutation, useQueryClient } from "@tanstack/react-query"
import { cancelJob, jobKeys } from "../api/jobs"
import type { JobState } from "../api/types"
import { strings } from "../strings"
import { Dialog, ErrorNotice } from "./ui"

export function CancelDialog({
  job,
  onClose,
}: {
  job: { job_id: string; name: string; state: JobState }
  onClose: () => void
}) {
  const queries = useQueryClient()
  const cancelling = useMutation({
    mutationFn: () => cancelJob(job.job_id),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: jobKeys.all })
    },
  })
  const hasStarted = job.state !== "queued" && job.state !== "waiting"
  return (
    <Dialog title={strings.cancelDialog.title(job.name)} onClose={onClose}>
      <p>{hasStarted ? strings.cancelDialog.running : strings.cancelDialog.queued}</p>
      {cancelling.isError && <ErrorNotice error={cancelling.error} />}
      <footer>
        <button type="button" onClick={onClose}>
          {strings.cancelDialog.keep}
        </button>
        <button type="button" className="danger" disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
          {strings.cancelDialog.confirm}
        </button>
      </footer>
    </Dialog>
  )
}

/** Cancelling can still be asked for in these states. */
export const isCancellable = (state: JobState): boolean =>
  state !== "succeeded" && state !== "failed" && state !== "cancelled" && state !== "cancelling"
