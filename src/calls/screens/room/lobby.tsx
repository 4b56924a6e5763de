import {
  CircleAlert,
  CircleCheck,
  CircleMinus,
  LoaderCircle,
  type LucideIcon,
  Mic,
  MicOff,
  Video,
  VideoOff,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Alert } from '../../../ui/alert.tsx'
import { ActionBar, Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { LobbyHeader } from '../lobby-header.tsx'
import type { Call, MediaProblem, Quality } from '../rtc/call-state.ts'
import { qualities } from './call-stage.tsx'
import { DeviceFields, FlipCamera, MicrophoneLevel } from './device-fields.tsx'
import { MediaTrouble } from './media-trouble.tsx'
import { VideoPicture } from './picture.tsx'
import type { OnCall } from './props.ts'

/** Before entering: how one looks and sounds, with which devices, and whether the connection is good enough. */
export function Lobby({ isElsewhere, ...props }: OnCall & { isElsewhere: boolean }) {
  const { entry, backTo, call, state, devices, onDevices } = props
  const [input, setInput] = useState({ audio: true, video: true })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks for the same again.
  useEffect(() => {
    if (call.state().phase === 'lobby') void call.preview({ ...input, devices })
  }, [call, input, devices, tries])
  return (
    <>
      <LobbyHeader entry={entry} backTo={backTo} />
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-6">
        <div className="grid gap-4">
          {isElsewhere && (
            <Alert tone="info" title="Ya estás en la llamada en otra pestaña">
              Si entras aquí, la otra pestaña sale de la llamada.
            </Alert>
          )}
          <OwnPreview {...props} input={input} onInput={setInput} onAgain={() => setTries(tries + 1)} />
          {state.problem && state.problem.of !== 'screen' && (
            <MediaTrouble problem={state.problem} onAgain={() => setTries(tries + 1)} />
          )}
          <Enter {...props} input={input} isElsewhere={isElsewhere} />
        </div>
        <div className="grid gap-4">
          <Card title="Tus dispositivos">
            <DeviceFields opened={state.local} devices={devices} onDevices={onDevices} />
          </Card>
          <ConnectionTest call={call} />
        </div>
      </div>
    </>
  )
}

type EnterProps = OnCall & { input: { audio: boolean; video: boolean }; isElsewhere: boolean }

function Enter({ call, state, devices, input, isElsewhere }: EnterProps) {
  const isJoining = state.phase === 'joining'
  const isDeaf = input.audio && input.video && state.problem?.of === 'both'
  const withAudioOnly = async () => {
    await call.preview({ audio: true, video: false, devices })
    call.join()
  }
  return (
    <ActionBar className="grid-cols-[1fr_auto]">
      <Button pending={isJoining} onClick={call.join}>
        {isElsewhere ? 'Entrar aquí' : isDeaf ? 'Entrar sin cámara ni micrófono' : 'Entrar'}
      </Button>
      {input.video && !isDeaf && (
        <Button variant="ghost" disabled={isJoining} onClick={withAudioOnly}>
          Entrar solo con audio
        </Button>
      )}
    </ActionBar>
  )
}

type Input = { audio: boolean; video: boolean }
type OwnPreviewProps = OnCall & {
  input: Input
  onInput: (input: Input) => void
  /** Asks again for the device that was refused. */
  onAgain: () => void
}

/** The user's camera and microphone as the other side gets them, with a switch for each. */
function OwnPreview({ input, onInput, onAgain, ...props }: OwnPreviewProps) {
  const { local, media, problem } = props.state
  const turn = (name: keyof Input) => () =>
    input[name] && isRefused(problem, name) ? onAgain() : onInput({ ...input, [name]: !input[name] })
  const on = {
    audio: input.audio && !isRefused(problem, 'audio'),
    video: input.video && !isRefused(problem, 'video'),
  }
  const isSeen = local !== null && media.video
  return (
    <section aria-label="Tu imagen y tu sonido" className="on-dark overflow-hidden rounded-card bg-canvas">
      <div className="relative grid aspect-video place-items-center short:aspect-auto short:h-36">
        {isSeen ? (
          <VideoPicture
            stream={local}
            label="Tu cámara"
            muted
            mirrored
            className="absolute inset-0 size-full"
          />
        ) : (
          <p className="px-6 text-center text-mute">{unseen(input, problem !== null)}</p>
        )}
        <p className="absolute bottom-2 left-2 rounded-control bg-canvas/80 px-2.5 py-1 text-sm">Tú</p>
        <FlipCamera {...props} className="absolute top-2 right-2" />
      </div>
      <div className="flex items-center gap-2 border-t border-line p-2">
        <Switch
          on={on.audio}
          label="Micrófono"
          icon={on.audio ? <Mic aria-hidden /> : <MicOff aria-hidden />}
          onTurn={turn('audio')}
        />
        <Switch
          on={on.video}
          label="Cámara"
          icon={on.video ? <Video aria-hidden /> : <VideoOff aria-hidden />}
          onTurn={turn('video')}
        />
        <MicrophoneLevel stream={local} on={media.audio} className="ml-auto min-w-0 flex-1" />
      </div>
    </section>
  )
}

const isRefused = (problem: MediaProblem | null, name: keyof Input) =>
  problem !== null && (problem.of === 'both' || problem.of === (name === 'audio' ? 'microphone' : 'camera'))

function unseen(input: Input, refused: boolean) {
  if (!input.video) return 'Tu cámara está apagada. Te escucharán, pero no te verán.'
  return refused
    ? 'No podemos mostrar tu cámara.'
    : 'Permite usar tu cámara y tu micrófono cuando el navegador lo pida.'
}

type SwitchProps = { on: boolean; label: string; icon: ReactNode; onTurn: () => void }

const Switch = ({ on, label, icon, onTurn }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={on}
    onClick={onTurn}
    className={classNames(
      'inline-flex min-h-11 items-center gap-2 rounded-control border px-3 text-[0.9375rem] font-medium *:[svg]:size-5',
      on ? 'border-line bg-card hover:bg-hover' : 'border-transparent bg-bad-soft text-bad',
    )}
  >
    {icon}
    {label}
  </button>
)

type Answer = 'checking' | 'good' | 'silent' | 'unset'
type Found = { server: Answer; direct: Answer; relay: Answer }

const checking: Found = { server: 'checking', direct: 'checking', relay: 'checking' }

const looks: Record<Answer, { word: string; icon: LucideIcon; ink: string }> = {
  checking: { word: 'Comprobando', icon: LoaderCircle, ink: 'text-mute *:[svg]:animate-spin' },
  good: { word: 'Bien', icon: CircleCheck, ink: 'text-brand' },
  silent: { word: 'No responde', icon: CircleAlert, ink: 'text-bad' },
  unset: { word: 'No configurado', icon: CircleMinus, ink: 'text-mute' },
}

const lines = [
  { name: 'server', label: 'Nuestro servidor', term: 'señalización' },
  { name: 'direct', label: 'Conexión directa', term: 'STUN' },
  { name: 'relay', label: 'Relevo', term: 'TURN' },
] as const

/** Tries each thing a call needs, before the other side waits for it. */
function ConnectionTest({ call }: { call: Call }) {
  const [found, setFound] = useState(checking)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks the same again.
  useEffect(() => {
    let isShown = true
    setFound(checking)
    void check(call, (part) => isShown && setFound((before) => ({ ...before, ...part })))
    return () => {
      isShown = false
    }
  }, [call, tries])
  const isDone = !Object.values(found).includes('checking')
  const rated = isDone ? qualities[ratingOf(found)] : null
  return (
    <Card title="Tu conexión">
      <p role="status" className="grid gap-1">
        {rated ? (
          <>
            <span className={classNames('flex items-center gap-2 text-lg font-semibold', rated.ink)}>
              <rated.icon aria-hidden className="size-5.5 shrink-0" />
              Tu conexión: {rated.word}
            </span>
            <span className="text-[0.9375rem] text-mute">{advice(found)}</span>
          </>
        ) : (
          <span className="text-mute">La estamos probando…</span>
        )}
      </p>
      <details className="text-[0.9375rem]">
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-mute">
          Detalles para soporte
        </summary>
        <dl className="grid gap-2">
          {lines.map(({ name, ...words }) => (
            <Line key={name} {...words} answer={found[name]} />
          ))}
        </dl>
      </details>
      <Button variant="ghost" pending={!isDone} onClick={() => setTries(tries + 1)}>
        Probar otra vez
      </Button>
    </Card>
  )
}

/** What a call can expect of it: only the chat, maybe only sound, or all. */
function ratingOf({ server, direct, relay }: Found): Quality {
  if (server === 'silent') return 'poor'
  return isBlocked({ direct, relay }) ? 'fair' : 'good'
}

/** Whether every server for the pictures stays silent. */
const isBlocked = ({ direct, relay }: Pick<Found, 'direct' | 'relay'>) =>
  direct !== 'good' && relay !== 'good' && (direct === 'silent' || relay === 'silent')

/** How long the first connection may take, in milliseconds, before it counts as failed. */
const patience = 5_000

/** A call that was just made is still being connected: nothing can be asked before. */
const connected = (call: Call) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const look = () => call.state().link === 'open' && done()
    const timer = setTimeout(done, patience)
    const stop = call.subscribe(look)
    look()
  })

async function check(call: Call, tell: (part: Partial<Found>) => void) {
  await connected(call)
  const server = call.ping().then(
    () => tell({ server: 'good' }),
    () => tell({ server: 'silent' }),
  )
  const ways = call.probe().then(
    ({ stun, relay }) => tell({ direct: answerOf(stun), relay: answerOf(relay) }),
    () => tell({ direct: 'silent', relay: 'silent' }),
  )
  await Promise.all([server, ways])
}

const answerOf = (answers: boolean | null): Answer =>
  answers === null ? 'unset' : answers ? 'good' : 'silent'

/** What to do about it, in one sentence. */
function advice({ server, direct, relay }: Found): string {
  if (server === 'silent')
    return 'No pudimos conectarte. Revisa tu internet, o cambia entre wifi y datos móviles.'
  return isBlocked({ direct, relay })
    ? 'Tu red puede bloquear el video. Prueba con otra red o con datos móviles; si no, entra solo con audio.'
    : 'Todo listo para la llamada.'
}

function Line({ label, term, answer }: { label: string; term: string; answer: Answer }) {
  const { word, icon: Icon, ink } = looks[answer]
  return (
    <div className="flex items-center justify-between gap-3">
      <dt>
        {label} <span className="text-sm text-mute">({term})</span>
      </dt>
      <dd
        className={classNames(
          'flex items-center gap-1.5 text-[0.9375rem] font-medium whitespace-nowrap',
          ink,
        )}
      >
        <Icon aria-hidden className="size-4.5 shrink-0" />
        {word}
      </dd>
    </div>
  )
}
