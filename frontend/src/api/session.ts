import { queryOptions } from "@tanstack/react-query"
import { answer, client } from "./client"
import type { UserRead } from "./types"

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: (): Promise<UserRead> => answer(client.GET("/api/v1/me")),
  staleTime: 5 * 60_000,
})

export const needsSetup = async (): Promise<boolean> => (await answer(client.GET("/api/v1/setup"))).needs_setup

export const completeSetup = (body: { code: string; username: string; password: string }): Promise<UserRead> =>
  answer(client.POST("/api/v1/setup", { body }))

export const signIn = (body: { username: string; password: string }): Promise<UserRead> =>
  answer(client.POST("/api/v1/sessions", { body }))

export const signOut = (): Promise<unknown> => answer(client.DELETE("/api/v1/sessions/current"))
