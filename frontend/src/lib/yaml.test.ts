import { expect, it } from "vitest"
import { toYaml } from "./yaml"

it("writes a spec in block style", () => {
  expect(
    toYaml({
      version: 1,
      name: "jargon: second try",
      training: { learning_rate: 2e-5, max_steps: null },
      prompts: ["What is a foo?", "yes"],
      none: [],
    }),
  ).toBe(
    'version: 1\nname: "jargon: second try"\ntraining:\n  learning_rate: 0.00002\n  max_steps: null\nprompts:\n  - What is a foo?\n  - "yes"\nnone: []\n',
  )
})

it("gives small exponents the point that YAML 1.1 needs to see a number", () => {
  expect(toYaml({ rate: 2e-8 })).toBe("rate: 2.0e-8\n")
})

it("quotes what YAML would read as something else", () => {
  expect(toYaml({ a: "12", b: "- x", c: "null", d: "" })).toBe('a: "12"\nb: "- x"\nc: "null"\nd: ""\n')
})
