import { type Kind, type Reasons, reasonOf } from '../room/media-problem.ts'
import type { DeviceChoice } from './call-state.ts'

type Opened = { tracks: MediaStreamTrack[]; reasons: Reasons }

/** A poor camera is better than none, so that nothing is demanded; more than 720 lines nobody sees in a call. */
const picture = {
  width: { ideal: 1280, max: 1280 },
  height: { ideal: 720, max: 720 },
  frameRate: { max: 30 },
}
const sound = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

const constraints: Record<Kind, (choice: DeviceChoice) => MediaTrackConstraints> = {
  audio: ({ microphone }) => ({ ...sound, ...(microphone ? { deviceId: { exact: microphone } } : {}) }),
  video: ({ camera }) => ({
    ...picture,
    ...(camera ? { deviceId: { exact: camera } } : { facingMode: 'user' }),
  }),
}

/** Opens camera, microphone or both, as far as they can be: the person is asked once, unless only one of them is in the way. */
export async function openMedia(kinds: readonly Kind[], choice: DeviceChoice): Promise<Opened> {
  try {
    return { tracks: await open(kinds, choice), reasons: {} }
  } catch (error) {
    if (kinds.length > 1 && (await isWorthAskingApart(error))) return openApart(choice)
    const reason = reasonOf(error)
    return { tracks: [], reasons: Object.fromEntries(kinds.map((kind) => [kind, reason])) }
  }
}

/** One of both is missing or in use: the other one is opened alone. */
async function openApart(choice: DeviceChoice): Promise<Opened> {
  const audio = await openMedia(['audio'], choice)
  const video = await openMedia(['video'], choice)
  return { tracks: [...audio.tracks, ...video.tracks], reasons: { ...audio.reasons, ...video.reasons } }
}

async function open(kinds: readonly Kind[], choice: DeviceChoice): Promise<MediaStreamTrack[]> {
  if (!navigator.mediaDevices) throw new TypeError('not over plain HTTP')
  const asked = (from: DeviceChoice) =>
    navigator.mediaDevices.getUserMedia(
      Object.fromEntries(kinds.map((kind) => [kind, constraints[kind](from)])),
    )
  const stream = await asked(choice).catch((error) => {
    // What was chosen is not there any more: then whatever is.
    if (reasonOf(error) !== 'missing') throw error
    return asked({})
  })
  return stream.getTracks()
}

/** Somebody who said no to both is not asked twice more; who forbade only one gets the other. */
async function isWorthAskingApart(error: unknown): Promise<boolean> {
  if (reasonOf(error) === 'unsupported') return false
  if (reasonOf(error) !== 'denied') return true
  const [camera, microphone] = await Promise.all(['camera', 'microphone'].map(permission))
  return camera !== microphone
}

const permission = (name: string) =>
  navigator.permissions?.query({ name: name as PermissionName }).then(
    ({ state }) => state,
    // A browser that doesn't tell.
    () => 'unknown',
  )
