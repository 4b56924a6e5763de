import type { ReactNode } from 'react'
import { Form, useSubmit } from 'react-router'
import { Checkbox, Field } from '../../kit/form/field.tsx'
import type { Estimate } from '../../projects/rules/pipeline.ts'
import { roundMoney } from '../../shared/format.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import type { askedEstimate } from './asked.ts'

type EstimateCardProps = {
  estimate: ReturnType<typeof askedEstimate>
  signUp: string
  kept: Readonly<Record<string, string>>
}

/** What an installation costs, more or less, before a visit to the house. */
export function EstimateCard({ estimate, signUp, kept }: EstimateCardProps) {
  return (
    <section
      id="estimado"
      aria-labelledby="estimate-title"
      className={classNames(cardClass, 'grid scroll-mt-4 overflow-hidden sm:grid-cols-2')}
    >
      <div className="grid content-start gap-5 p-4 sm:p-7">
        <div className="grid gap-1">
          <h2 id="estimate-title" className="text-xl font-semibold tracking-tight">
            ¿Cuánto cuesta, más o menos?
          </h2>
          <p className="text-[0.9375rem] text-mute">Tres datos bastan para darte una idea.</p>
        </div>
        <AskForm id="estimado" kept={kept} asksItself={always} className="grid gap-4">
          <Field
            label="Metros del tablero al cargador"
            name="metros"
            inputMode="decimal"
            maxLength={10}
            defaultValue={estimate.metres}
            error={estimate.error}
            help="El tablero es donde están tus pastillas. Mide a ojo por donde pasaría el cable."
          />
          <div className="grid">
            <Checkbox
              label="Necesito un segundo medidor"
              name="medidor"
              value="si"
              defaultChecked={estimate.secondMeter}
            />
            <Checkbox
              label="Quiero que incluya el cargador"
              name="cargador"
              value="si"
              defaultChecked={estimate.charger}
            />
          </div>
          {!useHydrated() && (
            <Button type="submit" variant="ghost" className="justify-self-start max-sm:w-full">
              Calcular
            </Button>
          )}
        </AskForm>
      </div>
      <Range estimate={estimate} signUp={signUp} />
    </section>
  )
}

function Range({ estimate: { range }, signUp }: Pick<EstimateCardProps, 'estimate' | 'signUp'>) {
  return (
    <div className="grid content-center justify-items-start gap-4 bg-brand-soft p-6">
      <div role="status" className="grid gap-2">
        {range ? (
          <>
            <Amounts {...range} />
            <p className="text-[0.9375rem]">Estimado, con IVA. No es una cotización.</p>
          </>
        ) : (
          <p className="text-[0.9375rem]">Corrige los metros y te decimos.</p>
        )}
      </div>
      <p className="max-w-md text-[0.9375rem]">
        El precio exacto sale de tu visita técnica: lo aceptas antes de que toquemos un cable.
      </p>
      <LinkButton to={signUp} variant="ghost">
        Agendar mi visita
      </LinkButton>
    </div>
  )
}

const always = () => true

/** Two amounts; one when the manager gives the range no width. */
const Amounts = ({ low, high }: Estimate) => (
  <>
    <p className="text-[0.9375rem]">{low === high ? 'Alrededor de' : 'De'}</p>
    <p className="text-3xl/tight font-semibold tracking-tight sm:text-3xl/tight">
      {roundMoney(low)}
      {low !== high && (
        <>
          {' '}
          <span className="font-normal">a</span> {roundMoney(high)}
        </>
      )}
    </p>
  </>
)

type AskFormProps = {
  /** The part of the page that answers; without JavaScript the browser goes there. */
  id: string
  /** What the address already says and this form does not ask. */
  kept: Readonly<Record<string, string>>
  /** Whether what is typed so far is asked without a press. */
  asksItself: (typed: FormData) => boolean
  className?: string
  children: ReactNode
}

/** A question whose answer is in the page's own address; the answer follows what is typed. */
export function AskForm({ id, kept, asksItself, className, children }: AskFormProps) {
  const submit = useSubmit()
  return (
    <Form
      method="get"
      action={`/approach#${id}`}
      preventScrollReset
      noValidate
      className={className}
      onChange={({ currentTarget }) => {
        if (asksItself(new FormData(currentTarget)))
          void submit(currentTarget, { action: '/approach', replace: true, preventScrollReset: true })
      }}
    >
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  )
}
