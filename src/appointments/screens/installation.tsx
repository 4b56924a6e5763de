import { handInPermit, ownPermit } from '../../cfe/permit.ts'
import { ownCaseForms, ownCasesPage } from '../../cfe/screens/forms.ts'
import { OwnCases } from '../../cfe/screens/own-cases.tsx'
import { startAnother } from '../../customers/ending.ts'
import { DocumentField } from '../../documents/screens/document-field.tsx'
import { DocumentLink, type ShownDocument } from '../../documents/screens/document-link.tsx'
import { redirectWithToast } from '../../kit/flash.ts'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { InstalledCards } from '../../reports/screens/installed-cards.tsx'
import { faultForms, isLeftUnsafe, ownInstalled } from '../../reports/screens/own-reports-server.ts'
import { refuse } from '../../shared/refusal.ts'
import { noFields } from '../../shared/schema.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, Details } from '../../ui/card.tsx'
import type { Route } from './+types/installation.ts'
import { ServicePage } from './service-page.tsx'
import { ownForms, ownService } from './service-server.ts'

/** The condominium's permit: the uploaded one, which another may replace, or the form to upload it. */
function Permit({ document }: { document: ShownDocument | null }) {
  const isSent = useFormResult('hand-in-permit') !== undefined
  if (!document) return <HandIn />
  return (
    <div className="grid justify-items-start gap-3">
      <DocumentLink document={document} />
      <Details summary="Cambiar el archivo" open={isSent} className="w-full">
        <HandIn />
      </Details>
    </div>
  )
}

const HandIn = () => (
  <Form intent="hand-in-permit" encType="multipart/form-data">
    <DocumentField purpose="condominium_permit" name="permit" label="Permiso del condominio" />
    <Submit variant="ghost" className="justify-self-start max-sm:w-full">
      Entregar permiso
    </Submit>
  </Form>
)

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const { db, actor } = signedIn(context)
  const [page, installed, isUnsafe, permit, cases] = await Promise.all([
    ownService(context, 'installation', url),
    ownInstalled(context),
    isLeftUnsafe(context),
    ownPermit(db, actor),
    ownCasesPage(context),
  ])
  const asksForRepair = installed.some(({ faults }) => faults.some(({ closedAt }) => closedAt === null))
  return { ...page, installed, isUnsafe, asksForRepair, permit, cases }
}

export const action = forms(({ request, context }: Route.ActionArgs) => ({
  ...ownForms(context, request, 'installation'),
  ...ownCaseForms(context),
  ...faultForms(context),
  'hand-in-permit': form(noFields, async (_, { file }) => {
    const chosen = 'Elige el archivo de tu permiso.'
    const permit = file('permit') ?? refuse('invalid-argument', undefined, { errors: { permit: chosen } })
    const { db, drive, actor, now } = signedIn(context)
    await handInPermit(db, drive, actor, permit, now)
    return redirectWithToast('/installation', 'Recibimos tu permiso', 'Lo revisamos y te avisamos.')
  }),
  'start-another': form(noFields, async () => {
    const { actor, db } = signedIn(context)
    await startAnother(db, actor, actor, new Date())
    return redirectWithToast(
      '/address',
      'Empezamos otro proyecto',
      'Dinos dónde instalamos tu otro cargador.',
    )
  }),
}))

export default function Installation({ loaderData }: Route.ComponentProps) {
  const { cases, installed, isUnsafe, permit } = loaderData
  const offersAnother = loaderData.stage === 'closed' && !loaderData.asksForRepair
  const chargers = installed.map((one) => <InstalledCards key={one.appointmentId} installed={one} />)
  const papers = <OwnCases cases={cases} />
  return (
    <ServicePage
      page={loaderData}
      current={
        <>
          {isUnsafe && <LeftUnsafe />}
          {loaderData.stage === 'cfe' && papers}
          {!loaderData.active && chargers}
        </>
      }
      permit={<Permit document={permit} />}
      aside={offersAnother && <AnotherCharger />}
    >
      {loaderData.stage !== 'cfe' && papers}
      {loaderData.active && chargers}
    </ServicePage>
  )
}

const LeftUnsafe = () => (
  <Alert tone="bad" title="No uses tu cargador todavía">
    No pasó una de las pruebas de seguridad. Su energía queda cortada hasta que volvamos: no subas la pastilla
    «Cargador».
  </Alert>
)

const AnotherCharger = () => (
  <Card id="otro" className="scroll-mt-20" title="¿Otro cargador?">
    <p className="text-mute">
      Para otro auto u otro domicilio empezamos un proyecto nuevo. Este cargador conserva su garantía.
    </p>
    <Form intent="start-another">
      <Submit variant="ghost">Instalar otro cargador</Submit>
    </Form>
  </Card>
)
