import type { Media } from '../../domain/page-message.ts'
import type { DeviceChoice, MediaProblem } from './call-state.ts'
import { rememberDevices, rememberedDevices } from './device-choice.ts'
import { type Kind, openMedia } from './open-media.ts'
import type { Tracks } from './peer.ts'
import { createScreen } from './screen.ts'

/** What is captured at a moment; `video` is the screen while that is shared. */
export type Captured = Tracks & { media: Media; problem: MediaProblem | null }
type Changed = (captured: Captured) => void

const kinds = ['audio', 'video'] as const
const nameOf = { audio: 'microphone', video: 'camera' } as const

/** Microphone, camera and screen of this page. While the screen is shared the camera is off, and comes back after it. */
export function createDevices(changed: Changed) {
  const screen = createScreen(() => void endScreen())
  const inputs = createInputs(() => tell())
  let screenProblem: MediaProblem | null = null
  let cameraAfter = false

  function tell() {
    const { audio, video } = inputs.held
    const shared = screen.track()
    const media = { audio: audio?.enabled ?? false, video: video !== null, screen: shared !== null }
    changed({ audio, video: shared ?? video, media, problem: screenProblem ?? inputs.problem() })
  }
  async function startScreen() {
    screenProblem = await screen.start()
    if (!screen.track()) return tell()
    cameraAfter = inputs.held.video !== null
    inputs.off('video')
  }
  async function endScreen() {
    screen.stop()
    if (cameraAfter) await inputs.on('video')
    else tell()
  }
  return {
    preview: inputs.preview,
    choose: inputs.choose,
    setAudio: inputs.setAudio,
    setScreen: (on: boolean) => (on ? startScreen() : endScreen()),
    setVideo(on: boolean) {
      screenProblem = null
      screen.stop()
      return on ? inputs.on('video') : inputs.off('video')
    },
    /** Lets everything go, what is still being asked for as well. */
    release() {
      screen.stop()
      inputs.release()
    },
  }
}
export type Devices = ReturnType<typeof createDevices>

/** Microphone and camera. */
function createInputs(tell: () => void) {
  const held: Tracks = { audio: null, video: null }
  const wanted: Record<Kind, boolean> = { audio: false, video: false }
  let problem: MediaProblem | null = null
  let choice = rememberedDevices()
  let turn: Promise<unknown> = Promise.resolve()

  /** One after the other: many a device can be opened again only when it was let go. */
  function inTurn(run: () => Promise<void>): Promise<void> {
    const mine = turn.then(run)
    turn = mine.catch(() => {})
    return mine
  }
  async function openWanted(from: DeviceChoice = choice) {
    const missing = kinds.filter((kind) => wanted[kind] && !held[kind])
    if (missing.length > 0) {
      const opened = await openMedia(missing, from)
      for (const track of opened.tracks) take(track)
      problem = opened.problem
      for (const kind of missing) wanted[kind] &&= held[kind] !== null
    }
    tell()
  }
  /** Unless it is no longer wanted: the person had the time of a question to change their mind. */
  function take(track: MediaStreamTrack) {
    const kind = track.kind as Kind
    if (!wanted[kind]) return track.stop()
    held[kind] = track
    track.onended = () => void pulledOut(kind)
  }
  /** The device is gone, or forbidden: the browser's own choice takes its place, if there is one. */
  function pulledOut(kind: Kind) {
    letGo(kind)
    tell()
    return inTurn(() => openWanted({ ...choice, [nameOf[kind]]: undefined }))
  }
  function letGo(kind: Kind) {
    const track = held[kind]
    held[kind] = null
    if (!track) return
    track.onended = null
    track.stop()
  }
  function chosen(devices: DeviceChoice) {
    for (const kind of kinds) {
      const name = nameOf[kind]
      if (name in devices && devices[name] !== choice[name]) letGo(kind)
    }
    choice = { ...choice, ...devices }
    rememberDevices(choice)
  }
  function on(kind: Kind) {
    wanted[kind] = true
    return inTurn(openWanted)
  }
  async function off(kind: Kind) {
    wanted[kind] = false
    letGo(kind)
    tell()
  }
  return {
    held,
    problem: () => problem,
    on,
    off,
    preview: (wish: { audio: boolean; video: boolean; devices: DeviceChoice }) =>
      inTurn(async () => {
        Object.assign(wanted, { audio: wish.audio, video: wish.video })
        chosen(wish.devices)
        for (const kind of kinds) if (!wanted[kind]) letGo(kind)
        problem = null
        await openWanted()
      }),
    choose: (devices: DeviceChoice) =>
      inTurn(async () => {
        chosen(devices)
        await openWanted()
      }),
    /** Muted it stays open, so that it is back at once. */
    async setAudio(isOn: boolean) {
      if (!held.audio) return isOn ? on('audio') : off('audio')
      held.audio.enabled = isOn
      tell()
    },
    release() {
      for (const kind of kinds) {
        wanted[kind] = false
        letGo(kind)
      }
      tell()
    },
  }
}
