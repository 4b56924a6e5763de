import { MapPin } from 'lucide-react'
import { Link } from 'react-router'
import { Alert } from '../ui/alert.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { AskForm } from './ask-form.tsx'
import type { askedCoverage } from './asked.ts'

type Asked = NonNullable<Awaited<ReturnType<typeof askedCoverage>>>
type CoverageCardProps = { coverage: Asked | null; signUp: string; kept: Readonly<Record<string, string>> }

/** Whether we get to a postal code. */
export function CoverageCard({ coverage, signUp, kept }: CoverageCardProps) {
  return (
    <Card id="cobertura" className="scroll-mt-4 gap-5 sm:p-7">
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-xl font-semibold tracking-tight">
          <MapPin aria-hidden className="size-5 text-brand" />
          ¿Llegamos a tu casa?
        </h2>
        <p className="text-[0.9375rem] text-mute">
          Las 16 alcaldías de la Ciudad de México, Huixquilucan, Lerma, Naucalpan y Toluca.
        </p>
      </div>
      <AskForm id="cobertura" kept={kept} className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-start">
        <Field
          label="Código postal"
          name="cp"
          inputMode="numeric"
          autoComplete="postal-code"
          enterKeyHint="search"
          maxLength={10}
          placeholder="03100"
          defaultValue={coverage?.postalCode}
          error={coverage?.error}
        />
        <Button type="submit" className="sm:mt-[1.875rem]">
          Revisar
        </Button>
      </AskForm>
      <div role="status">{coverage?.answer && <Answer coverage={coverage} {...{ signUp, kept }} />}</div>
    </Card>
  )
}

type AnswerProps = { coverage: Asked; signUp: string; kept: Readonly<Record<string, string>> }

function Answer({ coverage: { answer, postalCode, name, canClaim }, signUp, kept }: AnswerProps) {
  if (answer === 'yes')
    return (
      <Alert
        tone="ok"
        title={`Sí, llegamos a ${name}`}
        actions={<Start to={signUp}>Agendar mi visita</Start>}
      >
        Crea tu cuenta y agenda tu visita técnica.
      </Alert>
    )
  if (answer === 'to_verify')
    return (
      <Alert tone="info" title="Por verificar" actions={<Start to={signUp}>Crear cuenta</Start>}>
        Da tu domicilio al crear tu cuenta y te llamamos para confirmar si llegamos al {postalCode}.
      </Alert>
    )
  return (
    <Alert
      tone="wait"
      title={`Todavía no llegamos al ${postalCode}`}
      actions={<Start to={signUp}>Crear cuenta</Start>}
    >
      <p>Crea tu cuenta y te avisamos cuando lleguemos a tu zona.</p>
      {canClaim && (
        <p className="mt-2">
          <Link
            to={`?${new URLSearchParams({ ...kept, cp: postalCode, mio: 'si' })}#cobertura`}
            preventScrollReset
          >
            Mi domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan
          </Link>
        </p>
      )}
    </Alert>
  )
}

const Start = ({ to, children }: { to: string; children: string }) => (
  <LinkButton to={to}>{children}</LinkButton>
)
