// Types of the REST surface from docs/openapi.json. `--check` fails when the committed file is stale.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const tools = dirname(fileURLToPath(import.meta.url))
const root = join(tools, "..")
const source = process.env.OPENAPI_FILE ?? join(root, "..", "docs", "openapi.json")
const target = join(root, "src", "api", "generated", "schema.ts")

// The generator refuses TypeScript 7, so it lives in a package of its own that only this script needs.
if (!existsSync(join(tools, "node_modules"))) {
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: tools, stdio: "inherit" })
}
const { default: openapiTS, astToString } = await import("openapi-typescript")

// A field with a default is always there to read; the form sends whole specs, so it is always there to send as well.
const ast = await openapiTS(JSON.parse(readFileSync(source, "utf8")))
const text = `// Generated from docs/openapi.json by \`npm run generate:api\`. Never edited by hand.\n\n${astToString(ast)}`

if (process.argv.includes("--check")) {
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    console.error("src/api/generated/schema.ts is stale: run `npm run generate:api` and commit it.")
    process.exit(1)
  }
  console.log("api types are current")
} else {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  console.log(`wrote ${target}`)
}
