import react from "@vitejs/plugin-react"
import { defineConfig } from "vitest/config"
import { licenses } from "./licenses-plugin.ts"

const api = process.env.SPILLWAY_URL ?? "http://127.0.0.1:8321"

export default defineConfig({
  plugins: [react(), licenses()],
  build: {
    outDir: "../backend/static",
    emptyOutDir: true,
    // The content security policy allows no data: URLs, so every asset is a file.
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": { target: api, changeOrigin: false } } },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
})
