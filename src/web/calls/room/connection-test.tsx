import { CircleAlert, CircleCheck, CircleMinus, LoaderCircle, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { Call } from '../rtc/call-state.ts'

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

/** Tries each thing a call needs, before anybody waits for it. */
export function ConnectionTest({ call }: { call: Call }) {
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
  return (
    <Card title="Tu conexión">
      <dl className="grid gap-2">
        {lines.map(({ name, ...words }) => (
          <Line key={name} {...words} answer={found[name]} />
        ))}
      </dl>
      <p role="status" className="text-[0.9375rem] text-mute">
        {isDone && advice(found)}
      </p>
      <Button variant="ghost" pending={!isDone} onClick={() => setTries(tries + 1)}>
        Probar otra vez
      </Button>
    </Card>
  )
}

/** How long the first connection may take, in milliseconds, before its silence is told. */
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
    return 'No llegamos a nuestro servidor. Revisa tu internet, o cambia entre wifi y datos móviles.'
  if (direct === 'good' || relay === 'good') return 'Todo listo para la llamada.'
  if (direct === 'silent' || relay === 'silent')
    return 'Tu red puede bloquear el video. Prueba con otra red o con datos móviles; si no, entra solo con audio.'
  return 'La llamada irá directo entre ustedes dos.'
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
