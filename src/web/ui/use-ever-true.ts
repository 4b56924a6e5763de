import { useState } from 'react'

/** Whether a condition holds, or ever held: for what is fetched once it is needed, and then stays. */
export function useEverTrue(now: boolean): boolean {
  const [was, setWas] = useState(now)
  if (now && !was) setWas(true)
  return now || was
}
