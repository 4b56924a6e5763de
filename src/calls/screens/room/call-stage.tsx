import { type LucideIcon, MicOff, MonitorUp, Signal, SignalLow, SignalMedium, VideoOff } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useNow, useOffset } from '../../../kit/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { CallState, Quality } from '../rtc/call-state.ts'
import { Banners } from './banners.tsx'
import { elapsed, initialsOf } from './call-words.ts'
import { FlipCamera } from './device-fields.tsx'
import { letSoundOut, VideoPicture } from './picture.tsx'
import type { OnCall } from './props.ts'

type CallStageProps = OnCall & { video: RefObject<HTMLVideoElement | null>; onChat: () => void }

/** The other side large, the user small, and problems between. */
export function CallStage(props: CallStageProps) {
  const { entry, state, devices, video } = props
  const [isSilent, setIsSilent] = useState(false)
  const { theirs, way, remote, room } = state
  const isSeen = way !== 'no_way' && remote !== null && (theirs?.video || theirs?.screen)
  return (
    <div className="on-dark relative min-w-0 flex-1 overflow-hidden bg-canvas">
      <VideoPicture
        ref={video}
        stream={remote}
        label={`Imagen de ${entry.peerName}`}
        whole={entry.side === 'analyst' || Boolean(theirs?.screen)}
        speaker={devices.speaker}
        onHeldBack={setIsSilent}
        className={classNames(
          'absolute inset-0 size-full',
          !isSeen && 'opacity-0',
          room?.peer?.lost && 'opacity-40',
        )}
      />
      {way === 'no_way' ? <NoWay {...props} /> : !isSeen && <Unseen {...props} />}
      <div className="absolute inset-x-0 top-0 grid grid-cols-1 gap-2 px-[max(0.75rem,env(safe-area-inset-left))] pt-[max(0.75rem,env(safe-area-inset-top))]">
        <CallHead state={state} name={entry.peerName} />
        <Banners {...props} />
        {isSilent && way !== 'no_way' && (
          <Button
            className="justify-self-center"
            onClick={() => letSoundOut(video.current).then(() => setIsSilent(false))}
          >
            Activar sonido
          </Button>
        )}
      </div>
      {way !== 'no_way' && <OwnTile {...props} />}
    </div>
  )
}

/** Says that the other side shows nothing, so that the user does not wait for it. */
function Unseen({ entry, state }: OnCall) {
  const { way, theirs } = state
  const isOn = way === 'open' || way === 'reconnecting'
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-4 p-4 text-center">
      <Initials name={entry.peerName} />
      <p className="text-mute">
        {isOn ? `${entry.peerName} tiene la cámara apagada` : `Conectando con ${entry.peerName}…`}
        {theirs?.screen && <MonitorUp aria-hidden className="ml-2 inline size-5" />}
      </p>
    </div>
  )
}

/** Replaces the picture of a person who sends none. */
const Initials = ({ name, className }: { name: string; className?: string }) => (
  <span
    aria-hidden
    className={classNames(
      'grid size-24 place-items-center rounded-full bg-brand-soft text-3xl font-semibold text-brand short:size-16 short:text-xl',
      className,
    )}
  >
    {initialsOf(name)}
  </span>
)

/** Neither a direct connection nor a relay: what can still be done, the best first. */
function NoWay({ call, entry, noWay, aside, onChat }: OnCall & { onChat: () => void }) {
  return (
    <div className="absolute inset-0 overflow-y-auto">
      <section
        aria-labelledby="no-way"
        className="mx-auto grid min-h-full max-w-xl content-center gap-4 px-4 pt-20 pb-6"
      >
        <h2 id="no-way" className="text-xl font-semibold">
          No pudimos conectar el audio y el video
        </h2>
        <p className="text-mute">
          Tu red, o la de {entry.peerName}, no los deja pasar. Puede ayudar cambiar de wifi a datos móviles.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <Button onClick={() => call.tryAgain({ audioOnly: true })}>Intentar solo con audio</Button>
          <Button variant="ghost" onClick={onChat}>
            Seguir por chat
          </Button>
        </div>
        {noWay}
        {aside && (
          <p className="text-mute">
            Si nada funciona, llama a {entry.peerName}: su teléfono está en «{aside.label}».
          </p>
        )}
      </section>
    </div>
  )
}

/** The user in a corner: mirrored, but a shared screen as the other side sees it. */
function OwnTile(props: OnCall) {
  const { local, media } = props.state
  const isSeen = local !== null && (media.video || media.screen)
  return (
    <section
      aria-label="Tu imagen"
      className="absolute right-3 bottom-3 grid aspect-3/4 w-24 place-items-center overflow-hidden rounded-card border border-line bg-card landscape:aspect-video landscape:w-36 lg:aspect-video lg:w-56"
    >
      {isSeen ? (
        <VideoPicture
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
      <FlipCamera {...props} className="absolute top-0.5 right-0.5" />
      <NameTag name="Tú" muted={!media.audio} className="absolute bottom-1 left-1 py-0.5 text-xs" />
    </section>
  )
}

type NameTagProps = { name: string; muted: boolean; className?: string }

/** Whose picture it is, and whether they are muted. */
const NameTag = ({ name, muted, className }: NameTagProps) => (
  <p
    className={classNames(
      'flex max-w-[calc(100%-1.5rem)] items-center gap-1.5 rounded-control bg-canvas/80 px-2.5 py-1 text-sm font-medium',
      className,
    )}
  >
    <span className="truncate">{name}</span>
    {muted && (
      <>
        <MicOff aria-hidden className="size-4 shrink-0 text-bad" />
        <span className="sr-only">, micrófono apagado</span>
      </>
    )}
  </p>
)

/** How a connection is shown to a person. */
export const qualities: Record<Quality, { word: string; icon: LucideIcon; ink: string }> = {
  good: { word: 'buena', icon: Signal, ink: 'text-brand' },
  fair: { word: 'regular', icon: SignalMedium, ink: 'text-wait' },
  poor: { word: 'mala', icon: SignalLow, ink: 'text-bad' },
}

/** The other side's name, the elapsed time and the quality. */
function CallHead({ state, name }: { state: CallState; name: string }) {
  const offset = useOffset(state.room)
  const metAt = state.room?.metAt
  return (
    <header className="flex items-center justify-between gap-2 text-sm">
      <div className="flex min-w-0 items-center gap-2 rounded-control bg-canvas/80 px-2.5 py-1">
        <h1 className="truncate font-semibold">
          <span className="sr-only">Llamada con </span>
          {name}
        </h1>
        {state.theirs?.audio === false && (
          <>
            <MicOff aria-hidden className="size-4 shrink-0 text-bad" />
            <span className="sr-only">Tiene el micrófono apagado</span>
          </>
        )}
        {metAt && <ElapsedTime since={new Date(metAt)} offset={offset} />}
      </div>
      {state.quality && state.way === 'open' && <QualityMark quality={state.quality} />}
    </header>
  )
}

function QualityMark({ quality }: { quality: Quality }) {
  const { word, icon: Icon, ink } = qualities[quality]
  return (
    <p className="flex shrink-0 items-center gap-1.5 rounded-control bg-canvas/80 px-2.5 py-1">
      <Icon aria-hidden className={`size-4.5 ${ink}`} />
      <span>
        <span className="max-sm:sr-only">Tu conexión: </span>
        <span className="max-sm:inline-block max-sm:first-letter:uppercase">{word}</span>
      </span>
    </p>
  )
}

type ElapsedTimeProps = { since: Date; offset: number; className?: string }

/** How long both have been talking. A timer: screen readers read it when asked, not each second. */
function ElapsedTime({ since, offset, className }: ElapsedTimeProps) {
  const now = useNow(offset, 1000)
  return (
    <span role="timer" aria-label="Duración" className={className}>
      {elapsed(now.getTime() - since.getTime())}
    </span>
  )
}
