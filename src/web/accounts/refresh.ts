import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { retryWait, sessionLimits } from '../../domain/accounts/sessions.ts'
import { networkTimeout } from './network.ts'

/** Browsers run a longer timer at once. */
const longestTimer = 2 ** 31 - 1

/** Asks for the session to be moved on before it ends (`endsAt`, in milliseconds), and again with longer waits while nobody answers. */
export function useRefresh(endsAt: number | null): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (endsAt === null) return
    let timer: ReturnType<typeof setTimeout>
    let tries = 0
    const refresh = async () => {
      if (await refreshed()) return void revalidate()
      tries += 1
      timer = setTimeout(refresh, retryWait(tries))
    }
    const wait = () => {
      const left = endsAt - sessionLimits.refreshBefore - Date.now()
      timer =
        left > longestTimer ? setTimeout(wait, longestTimer) : setTimeout(refresh, Math.max(left, 1_000))
    }
    wait()
    return () => clearTimeout(timer)
  }, [endsAt, revalidate])
}

/** Whether the server answered: it moves the session's end on by itself, with any request that comes near it. */
async function refreshed(): Promise<boolean> {
  try {
    const answer = await fetch('/v1/session', { signal: AbortSignal.timeout(networkTimeout()) })
    return answer.status < 500
  } catch {
    return false
  }
}
