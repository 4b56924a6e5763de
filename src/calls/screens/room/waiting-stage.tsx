import {
  Camera,
  CircleCheck,
  DoorOpen,
  FileText,
  type LucideIcon,
  MicOff,
  Moon,
  PhoneCall,
  Sun,
  VideoOff,
} from 'lucide-react'
import { useNow, useOffset } from '../../../kit/use-now.ts'
import type { Tone } from '../../../shared/state-machine.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card, cardClass } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { type AnalystStatus, analystStatuses } from '../../rules/room.ts'
import { Banners } from './banners.tsx'
import { begunWords, startWords, waitWords } from './call-words.ts'
import { VideoPicture } from './picture.tsx'
import type { OnCall } from './props.ts'

const tips = [
  { icon: FileText, words: 'Ten a la mano tu recibo de luz.' },
  { icon: Camera, words: 'Toma una foto de tu tablero eléctrico y del lugar del cargador.' },
  { icon: Sun, words: 'Busca un lugar con buena luz y buena señal.' },
]

/** In the room before the other side is. */
export function WaitingStage(props: OnCall) {
  const { entry, state, whileWaiting } = props
  const { peerName, side, topic, minutes } = entry
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
    <section aria-label="Sala de espera" tabIndex={0} className="min-w-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid max-w-2xl gap-4 p-4 pt-[max(1rem,env(safe-area-inset-top))] lg:py-8">
        <Banners {...props} />
        <div className="flex items-start gap-4">
          <div className="grid min-w-0 flex-1 gap-1">
            <h1 className="text-2xl/tight font-semibold tracking-tight">
              {side === 'customer' ? 'Sala de espera' : `Esperamos a ${peerName}`}
            </h1>
            <Times {...props} />
            <p className="text-[0.9375rem] text-mute">Dura unos {minutes}&nbsp;min</p>
          </div>
          <OwnSmall {...props} />
        </div>
        {side === 'customer' && state.room && <AnalystPresence name={peerName} status={state.room.analyst} />}
        {whileWaiting}
        {topic && (
          <Card title={side === 'analyst' ? 'Qué preguntó' : 'Tu tema'}>
            <p className="wrap-anywhere whitespace-pre-line">{topic}</p>
          </Card>
        )}
        {side === 'customer' && <Tips />}
      </div>
    </section>
  )
}

function Times({ entry, state }: OnCall) {
  const now = useNow(useOffset(state.room), 5_000)
  const metAt = state.room?.metAt
  const since = entry.side === 'customer' ? state.room?.waitingSince : null
  return (
    <>
      <p>{metAt ? begunWords(new Date(metAt), now) : startWords(entry.startsAt, now)}</p>
      {since && <p className="text-[0.9375rem] text-mute">{waitWords(new Date(since), now)}</p>}
    </>
  )
}

function OwnSmall({ state }: OnCall) {
  const { screen, video } = state.media
  const isSeen = state.local !== null && (video || screen)
  return (
    <div className="on-dark relative grid h-18 w-24 shrink-0 sm:h-30 sm:w-40 place-items-center overflow-hidden rounded-card bg-canvas">
      {isSeen ? (
        <VideoPicture
          stream={state.local}
          label={screen ? 'Tu pantalla' : 'Tu cámara'}
          muted
          mirrored={!screen}
          className="absolute inset-0 size-full"
        />
      ) : (
        <VideoOff aria-hidden className="size-6 text-mute" />
      )}
      {!state.media.audio && (
        <span className="absolute right-1.5 bottom-1.5 rounded-full bg-canvas/80 p-1">
          <MicOff aria-hidden className="size-4 text-bad" />
          <span className="sr-only">Tu micrófono está apagado</span>
        </span>
      )}
    </div>
  )
}

const Tips = () => (
  <Card title="Mientras tanto">
    <ul className="grid gap-3">
      {tips.map(({ icon: Icon, words }) => (
        <li key={words} className="flex gap-3">
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-brand" />
          {words}
        </li>
      ))}
    </ul>
  </Card>
)

const looks: Record<AnalystStatus, { tone: Tone; icon: LucideIcon; words: string }> = {
  here: { tone: 'ok', icon: DoorOpen, words: 'Ya está en la sala.' },
  online: { tone: 'ok', icon: CircleCheck, words: 'Ya le avisamos que llegaste.' },
  busy: { tone: 'wait', icon: PhoneCall, words: 'Termina otra llamada y sigue contigo.' },
  away: { tone: 'neutral', icon: Moon, words: 'Todavía no se conecta; le avisamos que ya llegaste.' },
}

/** Whether the analyst is about to come, in words. */
function AnalystPresence({ name, status }: { name: string; status: AnalystStatus }) {
  const { tone, icon, words } = looks[status]
  return (
    <section
      aria-label="Tu analista"
      className={classNames(cardClass, 'flex flex-wrap items-center gap-x-3 gap-y-2 p-4')}
    >
      <p className="font-semibold">{name}</p>
      <Badge tone={tone} icon={icon}>
        {analystStatuses[status]}
      </Badge>
      <p className="basis-full text-[0.9375rem] text-mute">{words}</p>
    </section>
  )
}
