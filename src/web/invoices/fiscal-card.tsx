import {
  cfdiUseLabel,
  fiscalStateFacts,
  genericTerms,
  kindOfRfc,
  regimeLabel,
  taxpayerKinds,
} from '../../domain/invoices/taxpayer.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { ShownFiscal } from '../../server/invoices/fiscal-data.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, FormDetails } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type FiscalCardProps = {
  /** Null where the customer sent none. */
  fiscal: ShownFiscal | null
}

/** To whom a customer's invoices are made out, for the office, which compares it with the Constancia. */
export function FiscalCard({ fiscal }: FiscalCardProps) {
  if (!fiscal)
    return (
      <Card title="Datos fiscales">
        <p className="text-mute">Su cliente todavía no los envía. Los llena en su cuenta.</p>
      </Card>
    )
  const { label, tone } = fiscalStateFacts[fiscal.state]
  return (
    <Card title="Datos fiscales" aside={<Badge tone={tone}>{label}</Badge>}>
      <DefinitionList items={factsOf(fiscal)} />
      {fiscal.warning && (
        <Alert tone="wait" title="Revisa el RFC">
          {fiscal.warning}
        </Alert>
      )}
      {fiscal.constancia && (
        <div className="grid justify-items-start">
          <DocumentLink document={fiscal.constancia}>Constancia</DocumentLink>
        </div>
      )}
      {fiscal.state === 'submitted' && <Review fiscal={fiscal} />}
    </Card>
  )
}

const factsOf = (fiscal: ShownFiscal) => [
  { term: 'RFC', value: `${fiscal.rfc} (${taxpayerKinds[kindOfRfc(fiscal.rfc)].toLowerCase()})` },
  { term: 'Nombre', value: fiscal.legalName },
  { term: 'Régimen', value: regimeLabel(fiscal.regime) },
  { term: 'Uso', value: cfdiUseLabel(fiscal.cfdiUse) },
  { term: 'Código postal', value: fiscal.postalCode },
  { term: 'Correo', value: fiscal.email },
  { term: 'Enviados', value: fiscal.submittedAt && dateTime(fiscal.submittedAt) },
  { term: 'Por corregir', value: fiscal.rejectedReason },
]

function Review({ fiscal }: { fiscal: ShownFiscal }) {
  const version = <input type="hidden" name="version" value={fiscal.version} />
  const isReady = fiscal.constancia !== null || genericTerms(fiscal.rfc) !== null
  return (
    <>
      {isReady ? (
        <Form intent="verify-fiscal" className="gap-3">
          {version}
          <Submit>Verificar datos fiscales</Submit>
        </Form>
      ) : (
        <Alert tone="wait" title="Falta la Constancia">
          Para verificarlos la tiene que subir su cliente. Pídesela abajo.
        </Alert>
      )}
      <FormDetails summary="Pedir que los corrija" intent="reject-fiscal">
        {version}
        <TextArea
          label="¿Qué hay que corregir?"
          name="reason"
          maxLength={500}
          help="Su cliente lo lee tal como lo escribes."
        />
        <Submit variant="destructive">Pedir corrección</Submit>
      </FormDetails>
    </>
  )
}
