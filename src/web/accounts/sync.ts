import { useEffect } from 'react'
import { networkTimeout } from './network.ts'

const key = 'carga.synced'

/**
 * Tells a program beside ours, at a path of this origin, of each sign-in (POST with the ID token) and sign-out (DELETE):
 * once for all tabs, whatever way it came about. Without a path nothing is told.
 */
export function useSync(path: string | null, marker: string): void {
  useEffect(() => {
    if (path === null) return
    const told = localStorage.getItem(key) ?? ''
    if (told === marker) return
    // Before asking, so that no other tab tells it too.
    localStorage.setItem(key, marker)
    tell(path, marker !== '').catch(() => localStorage.setItem(key, told))
  }, [path, marker])
}

async function tell(path: string, signedIn: boolean) {
  const signal = AbortSignal.timeout(networkTimeout())
  if (!signedIn) return fetch(path, { method: 'DELETE', signal })
  const answer = await fetch('/v1/token', { signal })
  const { token } = (await answer.json()) as { token: string | null }
  return token && fetch(path, { method: 'POST', headers: { authorization: `Bearer ${token}` }, signal })
}
