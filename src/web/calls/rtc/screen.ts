import { isChangeOfMind, reasonOf } from '../room/media-problem.ts'
import type { MediaProblem } from './call-state.ts'

/** Text has to stay sharp; it need not move smoothly. */
const wish = { video: { frameRate: { max: 15 } }, audio: false }

/** The shared screen. `ended` is called when it ends from the browser's own bar, or with its window. */
export function createScreen(ended: () => void) {
  let track: MediaStreamTrack | null = null
  let isAsking = false
  let isWanted = false

  async function ask(): Promise<MediaProblem | null> {
    isAsking = isWanted = true
    try {
      const stream = await navigator.mediaDevices.getDisplayMedia(wish)
      take(stream.getVideoTracks()[0]!)
      return null
    } catch (error) {
      return isChangeOfMind(error) ? null : { of: 'screen', because: reasonOf(error) }
    } finally {
      isAsking = false
    }
  }
  function take(given: MediaStreamTrack) {
    if (!isWanted) return given.stop()
    given.contentHint = 'detail'
    given.onended = () => {
      track = null
      ended()
    }
    track = given
  }
  function stop() {
    isWanted = false
    if (!track) return
    track.onended = null
    track.stop()
    track = null
  }
  return {
    track: () => track,
    /** Answers what kept it from starting; null when it did, or when the person changed their mind. */
    start: async () => (isAsking || track ? null : ask()),
    stop,
  }
}
