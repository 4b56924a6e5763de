import type { Context } from 'hono'
import type { HttpEnv } from './types.ts'

/** The address limits count by: the socket's, or the last one a trusted proxy wrote. What a client writes itself never counts. */
export function clientAddress(c: Context<HttpEnv>, trustProxy: boolean): string {
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded || c.env?.incoming?.socket.remoteAddress || '127.0.0.1'
}
