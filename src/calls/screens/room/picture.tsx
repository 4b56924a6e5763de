import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { classNames } from '../../../ui/class-names.ts'

type PictureProps = {
  stream: MediaStream | null
  label: string
  /** The user's own picture: without its sound. */
  muted?: boolean
  /** As in a mirror, which is how people know themselves. */
  mirrored?: boolean
  /** The whole picture, with bars beside it, rather than as much as fits. */
  whole?: boolean
  speaker?: string | undefined
  /** Whether the browser held the sound back until the user presses something. */
  onHeldBack?: (isHeldBack: boolean) => void
  className?: string
  ref?: Ref<HTMLVideoElement>
}

/** Plays the sound that the browser held back: only from within a press of the user. */
export async function letSoundOut(video: HTMLVideoElement | null) {
  if (!video) return
  video.muted = false
  await video.play()
}

/** Whether it comes from a phone's rear camera: what one points at is not mirrored. */
const facesAway = (stream: MediaStream | null) =>
  stream?.getVideoTracks()[0]?.getSettings().facingMode === 'environment'

/** The video of a person, with their sound. */
export function VideoPicture({
  stream,
  label,
  muted = false,
  speaker,
  onHeldBack,
  ref,
  ...look
}: PictureProps) {
  const video = useRef<HTMLVideoElement>(null)
  useImperativeHandle(ref, () => video.current!)
  useEffect(() => {
    const element = video.current!
    element.srcObject = stream
    element.muted = muted
    if (!stream) return
    element.play().then(
      () => onHeldBack?.(false),
      (error: DOMException) => {
        // Any other error is a play that a newer one interrupted.
        if (error.name !== 'NotAllowedError' || !onHeldBack) return
        onHeldBack(true)
        // Muted playback is allowed: the picture moves meanwhile.
        element.muted = true
        void element.play().catch(() => {})
      },
    )
  }, [stream, muted, onHeldBack])
  useEffect(() => {
    // A disconnected speaker leaves the sound where it was.
    if (speaker !== undefined) void video.current?.setSinkId?.(speaker).catch(() => {})
  }, [speaker])
  return (
    <video
      ref={video}
      aria-label={label}
      autoPlay
      playsInline
      muted={muted}
      className={classNames(
        look.whole ? 'object-contain' : 'object-cover',
        look.mirrored && !facesAway(stream) && '-scale-x-100',
        look.className,
      )}
    />
  )
}
