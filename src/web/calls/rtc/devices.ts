import type { Media } from '../../../domain/calls/schema.ts'
import type { MediaProblem } from './call-state.ts'
import { createInputs } from './inputs.ts'
import type { Tracks } from './peer.ts'
import { createScreen } from './screen.ts'

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
    setAudio: inputs.setAudio,
    setScreen: (on: boolean) => (on ? startScreen() : endScreen()),
    setVideo(on: boolean) {
      dropScreen()
      return on ? inputs.on('video') : inputs.off('video')
    },
    /** Lets everything go, what is still being asked for as well. */
    release() {
      dropScreen()
      void inputs.off('audio', 'video')
    },
  }
}
