import { MonitorUp, VideoOff } from 'lucide-react'
import type { CallState } from '../rtc/call-state.ts'
import { NameTag } from './name-tag.tsx'
import { Picture } from './picture.tsx'

/** Oneself in a corner: as in a mirror, but what one shares as the other side sees it. */
export function OwnTile({ state: { local, media } }: { state: CallState }) {
  const isSeen = local !== null && (media.video || media.screen)
  return (
    <section
      aria-label="Tu imagen"
      className="absolute right-3 bottom-3 grid aspect-3/4 w-24 place-items-center overflow-hidden rounded-card border border-line bg-card landscape:aspect-video landscape:w-36 lg:aspect-video lg:w-56"
    >
      {isSeen ? (
        <Picture
          stream={local}
          label={media.screen ? 'Tu pantalla' : 'Tu cámara'}
          muted
          mirrored={!media.screen}
          whole={media.screen}
          className="absolute inset-0 size-full"
        />
      ) : (
        <VideoOff aria-hidden className="size-6 text-mute" />
      )}
      {media.screen && (
        <p className="absolute inset-x-0 top-0 flex items-center justify-center gap-1 bg-canvas/80 p-1 text-xs font-medium">
          <MonitorUp aria-hidden className="size-3.5" />
          Compartes
        </p>
      )}
      <NameTag name="Tú" muted={!media.audio} className="absolute bottom-1 left-1 py-0.5 text-xs" />
    </section>
  )
}
