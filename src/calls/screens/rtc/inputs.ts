import { rememberDevices, rememberedDevices } from '../device-choice.ts'
import { type Kind, mediaProblemOf, type Reasons, reasonOf } from '../room/media-problem.ts'
import type { DeviceChoice, MediaProblem } from './call-state.ts'
import type { Tracks } from './peer.ts'

type Input = { audio: boolean; video: boolean; devices: DeviceChoice }

/** `facing` names a camera by its side, where the browser knows it; only a chosen id wins over it. */
type Wanted = DeviceChoice & { facing?: 'user' | 'environment' }

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

  /** One after the other: many devices can be opened again only after their release. */
  function inTurn(run: () => Promise<void>): Promise<void> {
    const mine = turn.then(run)
    turn = mine.catch(() => {})
    return mine
  }
  async function openWanted(from: Wanted = choice) {
    const missing = kinds.filter((kind) => wanted[kind] && !held[kind])
    if (missing.length > 0) {
      const opened = await openMedia(missing, from)
      for (const track of opened.tracks) take(track)
      for (const kind of missing) wanted[kind] &&= held[kind] !== null
      refused(opened.reasons)
    }
    changed()
  }
  /** Unless it is no longer wanted: the user may have changed their mind while the browser asked. */
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
    problem = mediaProblemOf(reasons)
  }
  /** The device is gone, or forbidden: the browser's default replaces it, if there is one. */
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
    problem = mediaProblemOf(reasons)
    changed()
  }
  async function preview(input: Input) {
    isMuted = false
    if (held.audio) held.audio.enabled = true
    chosen(input.devices)
    await off(...kinds.filter((kind) => !input[kind]))
    for (const kind of kinds) wanted[kind] = input[kind]
    await openWanted()
  }
  /** A phone opens one camera at a time. Where the other one does not open, the first comes back. */
  async function flip() {
    const other = held.video && (await otherCamera(held.video.getSettings()))
    if (!other) return
    letGo('video')
    const { camera: _, ...others } = choice
    await openWanted({ ...others, ...other })
    const camera = held.video?.getSettings().deviceId
    if (camera) {
      choice = { ...choice, camera }
      return rememberDevices(choice)
    }
    wanted.video = true
    await openWanted()
  }
  return {
    held,
    problem: () => problem,
    on,
    off,
    preview: (input: Input) => inTurn(() => preview(input)),
    choose: (devices: DeviceChoice) =>
      inTurn(async () => {
        chosen(devices)
        await openWanted()
      }),
    flip: () => inTurn(flip),
    /** Muted it stays open, so that it is back at once. */
    async setAudio(isOn: boolean) {
      isMuted = !isOn
      if (!held.audio) return isOn ? on('audio') : off('audio')
      held.audio.enabled = isOn
      changed()
    },
  }
}

type Opened = { tracks: MediaStreamTrack[]; reasons: Reasons }

/** A poor camera is better than none, so nothing is required; more than 720 lines make no difference in a call. */
const picture = {
  width: { ideal: 1280, max: 1280 },
  height: { ideal: 720, max: 720 },
  frameRate: { max: 30 },
}
const sound = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

const constraints: Record<Kind, (choice: Wanted) => MediaTrackConstraints> = {
  audio: ({ microphone }) => ({ ...sound, ...(microphone ? { deviceId: { exact: microphone } } : {}) }),
  video: ({ camera, facing = 'user' }) => ({
    ...picture,
    ...(camera ? { deviceId: { exact: camera } } : { facingMode: facing }),
  }),
}

/** The camera at the phone's other side, or the next in the list where sides are unknown; null where there is no other. */
async function otherCamera({ deviceId, facingMode }: MediaTrackSettings): Promise<Wanted | null> {
  if (facingMode === 'user') return { facing: 'environment' }
  if (facingMode === 'environment') return { facing: 'user' }
  const devices = await navigator.mediaDevices.enumerateDevices()
  const cameras = devices.filter(({ kind }) => kind === 'videoinput')
  const at = cameras.findIndex((camera) => camera.deviceId === deviceId)
  const next = cameras[(at + 1) % cameras.length]
  return next && next.deviceId !== deviceId ? { camera: next.deviceId } : null
}

/** Opens camera, microphone or both, as far as possible: the person is asked once, unless only one of them fails. */
async function openMedia(kinds: readonly Kind[], choice: Wanted): Promise<Opened> {
  try {
    return { tracks: await open(kinds, choice), reasons: {} }
  } catch (error) {
    if (kinds.length > 1 && (await isWorthAskingApart(error))) return openApart(choice)
    const reason = reasonOf(error)
    return { tracks: [], reasons: Object.fromEntries(kinds.map((kind) => [kind, reason])) }
  }
}

/** One of both is missing or in use: the other one is opened alone. */
async function openApart(choice: Wanted): Promise<Opened> {
  const audio = await openMedia(['audio'], choice)
  const video = await openMedia(['video'], choice)
  return { tracks: [...audio.tracks, ...video.tracks], reasons: { ...audio.reasons, ...video.reasons } }
}

async function open(kinds: readonly Kind[], choice: Wanted): Promise<MediaStreamTrack[]> {
  if (!navigator.mediaDevices) throw new TypeError('not over plain HTTP')
  const asked = (from: Wanted) =>
    navigator.mediaDevices.getUserMedia(
      Object.fromEntries(kinds.map((kind) => [kind, constraints[kind](from)])),
    )
  const stream = await asked(choice).catch((error) => {
    // The chosen device is gone: then any other.
    if (reasonOf(error) !== 'missing') throw error
    return asked({})
  })
  return stream.getTracks()
}

/** A user who denied both is not asked twice more; a user who denied only one gets the other. */
async function isWorthAskingApart(error: unknown): Promise<boolean> {
  if (reasonOf(error) === 'unsupported') return false
  if (reasonOf(error) !== 'denied') return true
  const [camera, microphone] = await Promise.all(['camera', 'microphone'].map(permission))
  return camera !== microphone
}

const permission = (name: string) =>
  navigator.permissions?.query({ name: name as PermissionName }).then(
    ({ state }) => state,
    // A browser that does not report it.
    () => 'unknown',
  )
