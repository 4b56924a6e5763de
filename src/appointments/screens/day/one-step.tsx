import { Form, Submit } from '../../../kit/form/form.tsx'
import { sheetKindOf, sheetLabels } from '../../../reports/rules/report.ts'
import { lowerFirst } from '../../../shared/format.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { appointmentPath } from '../../rules/appointment-path.ts'
import { stepsAfter } from '../../rules/field-steps.ts'
import { isAtWork } from '../../rules/next-stop.ts'
import type { Step } from '../../rules/transitions.ts'
import type { OwnDay } from './own-day.ts'
import type { PhoneSteps } from './phone-steps.ts'

/** The steps that a form makes, in their words. */
const stepWords: Partial<Record<Step, string>> = {
  setOut: 'Voy en camino',
  start: 'Ya llegué: iniciar',
  resume: 'Continuar',
}

type OneStepProps = {
  stop: Pick<OwnDay['stops'][number], 'id' | 'service' | 'spans' | 'state' | 'wait'> & {
    steps: PhoneSteps[string] | undefined
  }
  now: Date
  /** The screen it stands on, which setting out leads back to. */
  from: 'home' | 'day'
}

/** The one step of a stop now: a press, or the way to where it is made; else what it waits for. */
export function OneStep({ stop, now, from }: OneStepProps) {
  const { service, state, steps: phone } = stop
  const last = phone?.moves.at(-1)
  const minute = Math.floor(now.getTime() / 60_000)
  const byNow = stop.spans.filter(({ from, until }) => from <= minute && minute < until)
  const steps = last ? stepsAfter[last.move] : byNow.map(({ move }) => move)
  const step = (['setOut', 'start', 'resume'] as const).find((name) => steps.includes(name))
  const path = appointmentPath('pending', stop)
  const big = 'min-h-14 text-lg'
  // The checks before an installation are on its own screen.
  const hasChecks = step === 'start' && service === 'installation'
  if (step && !hasChecks)
    return (
      <Form intent={step} by="move" action={path}>
        {step === 'setOut' && <input type="hidden" name="from" value={from} />}
        <Submit className={big}>{stepWords[step]}</Submit>
      </Form>
    )
  const kind = sheetKindOf[service]
  const words = hasChecks
    ? stepWords.start
    : isAtWork(state) && kind && `Seguir con el ${lowerFirst(sheetLabels[kind])}`
  const wait = words ? null : stop.wait
  return (
    <div className="grid gap-2">
      {wait && <p className="text-mute">{wait}</p>}
      <LinkButton to={path} variant={words ? 'primary' : 'ghost'} className={big}>
        {words || 'Ver la cita'}
      </LinkButton>
    </div>
  )
}
