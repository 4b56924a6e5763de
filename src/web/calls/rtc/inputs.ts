import { rememberDevices, rememberedDevices } from '../device-choice.ts'
import { type Kind, problemOf, type Reasons } from '../room/media-problem.ts'
import type { DeviceChoice, MediaProblem } from './call-state.ts'
import { openMedia } from './open-media.ts'
import type { Tracks } from './peer.ts'

type Wish = { audio: boolean; video: boolean; devices: DeviceChoice }

const kinds = ['audio', 'video'] as const
const nameOf = { audio: 'microphone', video: 'camera' } as const

/** Microphone and camera. `changed` is called whenever what they give, or what is in their way, did. */
export function createInputs(changed: () => void) {
  const held: Tracks = { audio: null, video: null }
  const wanted: Record<Kind, boolean> = { audio: false, video: false }
  let isMuted = false
  let reasons: Reasons = {}
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
      for (const kind of missing) wanted[kind] &&= held[kind] !== null
      refused(opened.reasons)
    }
    changed()
  }
  /** Unless it is no longer wanted: while the browser asked, there was time to think better of it. */
  function take(track: MediaStreamTrack) {
    const kind = track.kind as Kind
    if (!wanted[kind]) return track.stop()
    held[kind] = track
    if (kind === 'audio') track.enabled = !isMuted
    track.onended = () => void pulledOut(kind)
  }
  /** What works is no problem any more. */
  function refused(more: Reasons) {
    const all = { ...reasons, ...more }
    reasons = Object.fromEntries(
      kinds.filter((kind) => !held[kind] && all[kind]).map((kind) => [kind, all[kind]]),
    )
    problem = problemOf(reasons)
  }
  /** The device is gone, or forbidden: the browser's own choice takes its place, if there is one. */
  function pulledOut(kind: Kind) {
    letGo(kind)
    changed()
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
  async function off(...which: readonly Kind[]) {
    for (const kind of which) {
      wanted[kind] = false
      letGo(kind)
      delete reasons[kind]
    }
    problem = problemOf(reasons)
    changed()
  }
  async function preview(wish: Wish) {
    isMuted = false
    if (held.audio) held.audio.enabled = true
    chosen(wish.devices)
    await off(...kinds.filter((kind) => !wish[kind]))
    for (const kind of kinds) wanted[kind] = wish[kind]
    await openWanted()
  }
  return {
    held,
    problem: () => problem,
    on,
    off,
    preview: (wish: Wish) => inTurn(() => preview(wish)),
    choose: (devices: DeviceChoice) =>
      inTurn(async () => {
        chosen(devices)
        await openWanted()
      }),
    /** Muted it stays open, so that it is back at once. */
    async setAudio(isOn: boolean) {
      isMuted = !isOn
      if (!held.audio) return isOn ? on('audio') : off('audio')
      held.audio.enabled = isOn
      changed()
    },
  }
}
