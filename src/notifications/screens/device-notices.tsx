import { useEffect, useState } from 'react'
import { useSubmit } from 'react-router'
import { Checkbox } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { Part } from '../../kit/part-rows.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Details } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import { randomId } from '../../ui/random-id.ts'
import type { NewsKind } from '../rules/push.ts'

/** What a message to a device carries, as the server wrote it. */
export type ShownNotice = { title: string; body: string; url: string; tag: string }

type DeviceNoticesProps = {
  news: {
    /** Whether this session's browser gets them. */
    isOn: boolean
    kinds: { name: NewsKind; label: string; isWanted: boolean }[]
    publicKey: string
  }
}

/** Notices on this device, by its own switch, and which of them, for all of the person's devices. */
export function DeviceNotices({ news: { isOn, kinds, publicKey } }: DeviceNoticesProps) {
  return (
    <Part id="avisos-dispositivo" title="Avisos en este dispositivo" value={isOn ? 'Encendidos' : 'Apagados'}>
      <p className="text-[0.9375rem] text-mute">
        Te avisamos en la pantalla aunque no tengas la página abierta. De 9:00&nbsp;p.&nbsp;m. a
        8:00&nbsp;a.&nbsp;m. esperamos, salvo lo que no puede esperar.
      </p>
      <noscript>
        <p>Para activarlos tu navegador necesita JavaScript.</p>
      </noscript>
      <div className="grid gap-5 empty:min-h-12.5 noscript:empty:hidden">
        {useHydrated() && <DeviceSwitch isOn={isOn} publicKey={publicKey} />}
      </div>
      <Form intent="news-kinds" key={kinds.map((kind) => kind.isWanted).join()}>
        <fieldset className="grid">
          <legend className="mb-1 font-semibold">Qué te avisamos</legend>
          {kinds.map(({ isWanted, label, name }) => (
            <Checkbox key={name} label={label} name={name} defaultChecked={isWanted} />
          ))}
        </fieldset>
        <Submit variant="ghost" className="sm:justify-self-start">
          Guardar mis preferencias
        </Submit>
      </Form>
    </Part>
  )
}

function DeviceSwitch({ isOn, publicKey }: { isOn: boolean; publicKey: string }) {
  const [ability, setAbility] = useState(abilityNow)
  const [isTurning, setIsTurning] = useState(false)
  const [isSubscribed, setIsSubscribed] = useState(isOn)
  const [hasFailed, setHasFailed] = useState(false)
  const [isAnswer, setIsAnswer] = useState(false)
  const send = useSubmit()
  // The person may have taken the permission away in the browser's own settings.
  useEffect(() => {
    void current().then((subscription) => setIsSubscribed(isOn && subscription !== null))
  }, [isOn])
  if (ability !== 'able' && isAnswer)
    return (
      <div ref={(at) => at?.focus()} tabIndex={-1} role="alert" className="rounded-card">
        <Alert tone="info" title={hindrances[ability].title}>
          {hindrances[ability].help}
        </Alert>
      </div>
    )
  // As high as the switch, on every screen: what is below stays where it is.
  if (ability !== 'able')
    return (
      <Details summary={hindrances[ability].title}>
        <p>{hindrances[ability].help}</p>
      </Details>
    )
  const turn = async () => {
    setIsTurning(true)
    setHasFailed(false)
    try {
      const fields = isSubscribed ? await turnOff() : await turnOn(publicKey)
      if (fields) await send({ ...fields, formKey: randomId() }, { method: 'post', preventScrollReset: true })
    } catch {
      setHasFailed(true)
    }
    // The server may have known this browser before: then its answer changes nothing here.
    setIsSubscribed((await current()) !== null)
    setAbility(abilityNow())
    setIsAnswer(true)
    setIsTurning(false)
  }
  return (
    <>
      <Switch isOn={isSubscribed} isTurning={isTurning} onTurn={() => !isTurning && void turn()} />
      {hasFailed && (
        <Alert tone="bad" title="No pudimos activarlos">
          Tu navegador no los dejó. Revisa tu internet e inténtalo otra vez.
        </Alert>
      )}
    </>
  )
}

type SwitchProps = { isOn: boolean; isTurning: boolean; onTurn: () => void }

const Switch = ({ isOn, isTurning, onTurn }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={isOn}
    aria-busy={isTurning || undefined}
    onClick={onTurn}
    className="flex min-h-12.5 items-center justify-between gap-4 rounded-control border border-edge px-3.5 text-left hover:bg-hover"
  >
    <span className="font-semibold">Avisarme aquí</span>
    <span
      aria-hidden
      className={classNames(
        'h-7 w-12 shrink-0 rounded-full p-0.5',
        isOn ? 'bg-brand' : 'bg-edge',
        isTurning && 'animate-pulse',
      )}
    >
      <span
        className={classNames(
          'block size-6 rounded-full bg-card transition-transform',
          isOn && 'translate-x-5',
        )}
      />
    </span>
  </button>
)

type Ability = 'able' | keyof typeof hindrances

const hindrances = {
  blocked: {
    title: 'Los avisos están bloqueados',
    help: 'Permítelos para este sitio en los ajustes de tu navegador y vuelve a abrir esta página.',
  },
  'not installed': {
    title: 'Falta agregar la aplicación',
    help: 'Agrégala a tu pantalla de inicio: en iPhone toca Compartir y luego «Agregar a inicio». Ábrela desde ahí y activa los avisos.',
  },
  unable: {
    title: 'Tu navegador no los muestra',
    help: 'Prueba con otro navegador, o síguenos por correo.',
  },
} as const

function abilityNow(): Ability {
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (canPush) return Notification.permission === 'denied' ? 'blocked' : 'able'
  return /iPhone|iPad/.test(navigator.userAgent) ? 'not installed' : 'unable'
}

/** It holds no page, so that its worker controls none. */
const scope = '/push/'

const current = async () => {
  const registration = await navigator.serviceWorker?.getRegistration(scope)
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/** Asks for the permission, if it was not given; nothing where it is refused. */
async function turnOn(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const registration = await navigator.serviceWorker.register('/push.js', { scope, updateViaCache: 'none' })
  await isActive(registration)
  // One of before may be for another account, or another key of ours.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  const { endpoint, keys } = (
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  ).toJSON()
  return { intent: 'news-on', endpoint: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' }
}

/** `serviceWorker.ready` waits for the page's own worker, which this is not. */
async function isActive({ active, installing, waiting }: ServiceWorkerRegistration) {
  const worker = installing ?? waiting
  if (active || !worker) return
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve())
  })
}

async function turnOff() {
  await (await current())?.unsubscribe()
  return { intent: 'news-off' }
}
