/** What the address of a job's page holds. */
export const TABS = ["log", "samples", "artifacts", "config", "history"] as const
export type Tab = (typeof TABS)[number]
export type JobSearch = { tab?: Tab; from?: number; to?: number; step?: number }
