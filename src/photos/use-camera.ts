import { useEffect, useRef, useState } from 'react'
import { blankPaper, pictureFrom } from '../kit/look-at.ts'

/** What is asked of a phone's camera: enough pixels for what is engraved on a breaker. */
const wanted: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 2560 }, height: { ideal: 1920 } },
}

type CameraState = 'asking' | 'live' | 'denied' | 'missing'

/** The camera of a phone in a video of this page, while it is shown. */
export function useCamera() {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<CameraState>('asking')
  const [hasTorch, setHasTorch] = useState(false)
  const [isLit, setIsLit] = useState(false)
  const [turn, setTurn] = useState(0)
  const track = useRef<MediaStreamTrack>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks again
  useEffect(() => {
    let isOver = false
    const show = (stream: MediaStream) => {
      const [lens] = stream.getVideoTracks()
      if (isOver || !lens || !video.current) return end(stream)
      track.current = lens
      // A call, or the phone's own camera, takes it away.
      lens.onended = () => setState('missing')
      video.current.srcObject = stream
      setHasTorch('torch' in (lens.getCapabilities?.() ?? {}))
      setState('live')
    }
    const fail = (error: unknown) => setState(isRefusal(error) ? 'denied' : 'missing')
    opened().then(show, (error) => isOver || fail(error))
    return () => {
      isOver = true
      setIsLit(false)
      if (track.current) track.current.onended = null
      track.current?.stop()
    }
  }, [turn])
  return {
    video,
    state,
    hasTorch: hasTorch && state === 'live',
    isLit,
    /** Asks for the camera once more. */
    ask: () => {
      setState('asking')
      setTurn(turn + 1)
    },
    light: () =>
      void track.current
        ?.applyConstraints({ advanced: [{ torch: !isLit } as MediaTrackConstraintSet] })
        .then(() => setIsLit(!isLit))
        .catch(() => setHasTorch(false)),
    /** What it shows now, as a picture; null before it shows anything. */
    shoot: () => (state === 'live' && video.current ? pictureOf(video.current) : null),
  }
}

const opened = async () => {
  // Where a page may not ask at all, as over plain HTTP, there is nothing to ask.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (!devices) throw new Error('no camera here')
  return devices.getUserMedia(wanted)
}

const isRefusal = (error: unknown) =>
  error instanceof DOMException && ['NotAllowedError', 'SecurityError'].includes(error.name)

const end = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

function pictureOf(video: HTMLVideoElement): Promise<Blob> | null {
  const { videoHeight, videoWidth } = video
  if (videoWidth === 0) return null
  const paper = blankPaper(videoWidth, videoHeight)
  paper.drawImage(video, 0, 0)
  return pictureFrom(paper, 'image/jpeg', 0.92)
}
