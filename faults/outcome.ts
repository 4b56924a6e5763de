/** What came of a fault: what was done, what had to be, and what was measured. */
export type Outcome = { fault: string; done: string; expected: string; measured: string; ok: boolean }

/** A fault that can be provoked; it ends everything it started. */
export type Fault = () => Promise<Outcome>

/** A fault that is provoked on a server of its own. */
export const on =
  <Server extends { close: () => Promise<void> }>(
    open: () => Promise<Server>,
    provoke: (server: Server) => Promise<Outcome>,
  ): Fault =>
  async () => {
    const server = await open()
    try {
      return await provoke(server)
    } finally {
      await server.close()
    }
  }

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Milliseconds until it came true, or Infinity after so many. */
export async function until(holds: () => Promise<boolean>, within = 60_000, every = 50): Promise<number> {
  const from = performance.now()
  while (performance.now() - from < within) {
    if (await holds().catch(() => false)) return performance.now() - from
    await pause(every)
  }
  return Number.POSITIVE_INFINITY
}
