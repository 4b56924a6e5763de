import { wrongPapers } from '../../documents/documents.ts'
import { DocumentField } from '../../documents/screens/document-field.tsx'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { redirectWithToast } from '../../kit/flash.ts'
import { Form, Submit } from '../../kit/form/form.tsx'
import { useFormAccepted } from '../../kit/form/use-action-data.ts'
import { Help } from '../../kit/help.tsx'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { type SentForm, submit } from '../../kit/submit.ts'
import { lastSave } from '../../platform/database/versions.ts'
import { editedSettings, shownSettings } from '../../settings/queries.ts'
import { ActionBar } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { fiscalFor, saveFiscal } from '../fiscal-data.ts'
import { takenOff } from '../rules/legal-name.ts'
import { type FiscalForm, fiscalInput } from '../rules/schema.ts'
import { type FiscalState, genericTerms, publicRfc } from '../rules/taxpayer.ts'
import type { Route } from './+types/fiscal.ts'
import { FiscalFields, FiscalNotices } from './fiscal-fields.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

const here = '/fiscal'

export const loader = async ({ context }: Route.LoaderArgs) => {
  const { db, actor } = signedIn(context)
  const [fiscal, wasSaved, { issuer }] = await Promise.all([
    fiscalFor(db, actor, actor.id),
    lastSave(db, actor, { entity: 'fiscal', id: actor.id }),
    shownSettings(db),
  ])
  return { fiscal, wasSaved, issuerPostalCode: issuer.postalCode, email: actor.email }
}

export const action = async ({ request, context }: Route.ActionArgs) => {
  const { db, actor, drive } = signedIn(context)
  const { settings } = await editedSettings(db)
  const save = async ({ taken, ...input }: FiscalForm, { file }: SentForm) => {
    const asked = { ...input, constancia: file('constancia') }
    const state = await saveFiscal(db, drive, actor, asked, new Date())
    const [title, then] = savedWords[state]
    const note = taken ? `${takenOff(taken)}: quedó ${input.data.legalName}.` : then
    return redirectWithToast(here, title, note)
  }
  return submit(request, fiscalInput(settings.issuer), save, wrongPapers({ constancia: 'constancia' }))
}

const savedWords: Record<FiscalState, [title: string, then: string]> = {
  draft: ['Guardamos tu borrador', 'Complétalo y envíalo a revisión cuando lo tengas.'],
  submitted: ['Enviamos tus datos a revisión', 'Te escribimos por correo cuando los revisemos.'],
  verified: ['Tus datos siguen verificados', 'No tienes que hacer nada más.'],
  rejected: ['Guardamos tus datos', 'Corrige lo que falta y envíalos otra vez.'],
}

export default function FiscalScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { email, fiscal, issuerPostalCode } = loaderData
  const accepted = useFormAccepted(actionData)
  const isDraft = !fiscal || fiscal.state === 'draft'
  return (
    <>
      <PageHeader
        title="Datos fiscales"
        subtitle="Con ellos hacemos tus facturas."
        back={{ to: '/payments', label: 'Pagos' }}
      />
      <FiscalNotices fiscal={fiscal} />
      <Form
        key={accepted}
        version={fiscal?.version}
        result={actionData}
        encType="multipart/form-data"
        className="max-w-3xl gap-6"
      >
        <FiscalFields fiscal={fiscal} email={email} issuerPostalCode={issuerPostalCode} />
        <Constancia fiscal={fiscal} />
        <div className="grid lg:flex lg:gap-3">
          <ActionBar>
            <Submit name="intent" value="submit-fiscal">
              {isDraft ? 'Enviar a revisión' : 'Guardar cambios'}
            </Submit>
          </ActionBar>
          {isDraft && (
            <Submit name="intent" value="keep-fiscal" variant="ghost">
              Guardar borrador
            </Submit>
          )}
        </div>
      </Form>
      <NoInvoice />
    </>
  )
}

function Constancia({ fiscal }: Pick<Route.ComponentProps['loaderData'], 'fiscal'>) {
  if (fiscal && genericTerms(fiscal.rfc)) return null
  const kept = fiscal?.constancia
  return (
    <Card title="Constancia de Situación Fiscal">
      {kept && (
        <div className="grid justify-items-start">
          <DocumentLink document={kept} />
        </div>
      )}
      <DocumentField
        purpose="constancia"
        name="constancia"
        label={kept ? 'Cambiarla por otra' : 'Tu Constancia'}
        help="La descargas en el portal del SAT. Con ella verificamos tus datos."
        optional="unsaid"
      />
    </Card>
  )
}

function NoInvoice() {
  return (
    <Details summary="¿No necesitas factura a tu nombre?" className="max-w-3xl">
      <p>
        No tienes que llenar nada: tu compra entra en nuestra factura global. Si ya escribiste tus datos,
        cambia tu RFC por {publicRfc}.
      </p>
      <Help about="Hola, tengo una duda de mi factura" />
    </Details>
  )
}
