import { describe, expect, it } from "vitest"
import { curlOf, DEFAULT_FORM, fieldOf, formOf, specOf } from "./spec-form"

const FORM = { ...DEFAULT_FORM, name: "jargon", model: "smollm2", dataset: "jargon" }

describe("spec form", () => {
  it("comes back unchanged through a spec, for each placement", () => {
    for (const change of [
      {},
      { placement: "host" as const },
      { placement: "custom" as const, host_bytes: "1000", nvme_bytes: "" },
      { lengthBy: "steps" as const, max_steps: "40", sample_prompts: "a\nb", max_grad_norm: "" },
    ]) {
      const form = { ...FORM, learning_rate: "0.00002", ...change }
      expect(formOf(specOf(form))).toEqual(form)
    }
  })
  it("leaves judging a wrong value to the server, as it was typed", () => {
    expect(specOf({ ...FORM, batch_size: "four" }).training.batch_size).toBe("four")
    expect(specOf({ ...FORM, placement: "custom", host_bytes: "8GiB" }).placement.host_bytes).toBe("8GiB")
    expect(specOf({ ...FORM, batch_size: "" }).training.batch_size).toBe("")
  })
  it("puts every problem at its field, or at the top", () => {
    expect(
      [
        "/training/batch_size",
        "/evaluation/rows",
        "/placement",
        "/placement/host_bytes",
        "/model",
        "/engine/schedule",
        "",
      ].map(fieldOf),
    ).toEqual(["batch_size", "eval_rows", "placement", "host_bytes", "model", null, null])
  })
  it("quotes the body for a shell", () => {
    expect(curlOf("http://x", specOf({ ...FORM, name: "it's" }))).toContain("it'\\''s")
  })
})
