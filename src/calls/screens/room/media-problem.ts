import type { MediaProblem } from '../rtc/call-state.ts'

export type Kind = 'audio' | 'video'
/** Why microphone, camera or both were refused, where they were. */
export type Reasons = Partial<Record<Kind, MediaProblem['because']>>

const reasons: Record<string, MediaProblem['because']> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'in_use',
  AbortError: 'in_use',
  NotSupportedError: 'unsupported',
  // What browsers throw where a page may not ask at all, as over plain HTTP.
  TypeError: 'unsupported',
}

/** Why a browser refused camera, microphone or screen, by the name of its error. */
export const reasonOf = (error: unknown): MediaProblem['because'] =>
  reasons[(error as { name?: string } | null)?.name ?? ''] ?? 'other'

/** A user who closes the browser's own list of screens changed their mind; only the system's refusal is a problem. */
export const isChangeOfMind = (error: unknown): boolean =>
  reasonOf(error) === 'denied' && !/system/i.test(String((error as Error).message))

/** The one problem that is shown for both devices: of two different ones that of the microphone, which matters more. */
export function mediaProblemOf({ audio, video }: Reasons): MediaProblem | null {
  if (audio && audio === video) return { of: 'both', because: audio }
  if (audio) return { of: 'microphone', because: audio }
  return video ? { of: 'camera', because: video } : null
}
