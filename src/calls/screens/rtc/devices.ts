import type { Media } from '../../rules/schema.ts'
import { isChangeOfMind, reasonOf } from '../room/media-problem.ts'
import type { MediaProblem } from './call-state.ts'
import { createInputs } from './inputs.ts'
import type { Tracks } from './peer.ts'

/** What is captured at a moment; `video` is the screen while that is shared. */
export type Captured = Tracks & { media: Media; problem: MediaProblem | null }

/** Microphone, camera and screen of this page. While the screen is shared the camera is off; it comes back after it. */
export function createDevices(changed: (captured: Captured) => void) {
  const inputs = createInputs(tell)
  const screen = createScreen(() => void endScreen())
  let problem: MediaProblem | null = null
  let isCameraBack = false

  function tell() {
    const { audio, video } = inputs.held
    const shared = screen.track()
    const media = { audio: audio?.enabled ?? false, video: video !== null, screen: shared !== null }
    changed({ audio, video: shared ?? video, media, problem: problem ?? inputs.problem() })
  }
  async function startScreen() {
    problem = await screen.start()
    if (!screen.track()) return tell()
    isCameraBack ||= inputs.held.video !== null
    await inputs.off('video')
  }
  async function endScreen() {
    screen.stop()
    const isWanted = isCameraBack
    isCameraBack = false
    if (isWanted) await inputs.on('video')
    else tell()
  }
  function dropScreen() {
    problem = null
    isCameraBack = false
    screen.stop()
  }
  return {
    preview: inputs.preview,
    choose: inputs.choose,
    flip: inputs.flip,
    setAudio: inputs.setAudio,
    setScreen: (on: boolean) => (on ? startScreen() : endScreen()),
    setVideo(on: boolean) {
      dropScreen()
      return on ? inputs.on('video') : inputs.off('video')
    },
    /** Releases everything, also what is still being requested. */
    release() {
      dropScreen()
      void inputs.off('audio', 'video')
    },
  }
}

/** Text has to stay sharp; it need not move smoothly. */
const input = { video: { frameRate: { max: 15 } }, audio: false }

/** The shared screen. `ended` is called when it ends from the browser's own bar, or with its window. */
function createScreen(ended: () => void) {
  let track: MediaStreamTrack | null = null
  let isAsking = false
  let isWanted = false

  async function ask(): Promise<MediaProblem | null> {
    isAsking = isWanted = true
    try {
      const stream = await navigator.mediaDevices.getDisplayMedia(input)
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
    /** Returns what kept it from starting; null when it did, or when the person changed their mind. */
    start: async () => (isAsking || track ? null : ask()),
    stop,
  }
}
