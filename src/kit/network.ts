const changes = new EventTarget()
let isFound = true

/** Whether the server can't be reached: the browser says so, or a request just failed. */
export const isLost = () => !navigator.onLine || !isFound

/** Says whether a request reached the server. */
export function noteNetwork(isThere: boolean): void {
  if (isFound === isThere) return
  isFound = isThere
  changes.dispatchEvent(new Event('change'))
}

/** Calls back when the server may have been lost or found; returns what stops it. */
export function watchNetwork(onChange: () => void): () => void {
  changes.addEventListener('change', onChange)
  for (const type of ['online', 'offline']) window.addEventListener(type, onChange)
  return () => {
    changes.removeEventListener('change', onChange)
    for (const type of ['online', 'offline']) window.removeEventListener(type, onChange)
  }
}

/**
 * Checks now and then whether the server is back, while only a failed request shows that it is lost; returns the
 * function that stops it.
 */
export function lookForServer(every = 10_000): () => void {
  const timer = setInterval(() => {
    if (isFound || !navigator.onLine) return
    fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => noteNetwork(ok),
      () => undefined,
    )
  }, every)
  return () => clearInterval(timer)
}
