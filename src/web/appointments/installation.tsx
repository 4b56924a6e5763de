import { permitInput } from '../../domain/permit-input.ts'
import { anotherIntent } from '../../domain/project-ending.ts'
import { anotherInput } from '../../domain/project-ending-input.ts'
import { refuse } from '../../domain/refusal.ts'
import { faultIntents } from '../../domain/warranty.ts'
import { db, drive } from '../../server/context.ts'
import { startAnother } from '../../server/projects/ending.ts'
import { handInPermit, ownPermit } from '../../server/projects/permit.ts'
import { afterRefusal } from '../after-refusal.ts'
import { type FormWithFiles, formWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../flash.ts'
import { ownCases, ownPaperAction } from '../gesties/own-case-action.ts'
import { OwnCases } from '../gesties/own-cases.tsx'
import { faultAction } from '../onsite/fault-action.ts'
import { InstalledCards } from '../onsite/installed-cards.tsx'
import { ownInstalled } from '../onsite/installed-loader.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/installation.ts'
import { ownAction } from './own-action.ts'
import { Permit } from './permit.tsx'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

const permitIntent = 'hand-in-permit'
const caseIntent = 'hand-in-case-paper'

export const loader = async ({ context }: Route.LoaderArgs) => {
  const page = await ownService(context, 'installation')
  const [installed, permit, cases] = await Promise.all([
    ownInstalled(context),
    ownPermit(context.get(db), someone(context)),
    ownCases(context),
  ])
  const asksForRepair = installed.some(({ faults }) => faults.some(({ closedAt }) => closedAt === null))
  return { ...page, installed, asksForRepair, permit, cases }
}

export const action = async ({ request, context }: Route.ActionArgs) => {
  const sent = await formWithFiles(request)
  if (sent.intent === caseIntent) return ownPaperAction(sent, context)
  if (sent.intent === permitIntent) return permitAction(sent, context)
  if (sent.intent === anotherIntent) return anotherAction(sent, context)
  if (faultIntents.includes(sent.intent)) return faultAction({ ...sent, photo: sent.file('photo') }, context)
  return ownAction(sent.form, context, 'installation')
}

const permitAction = (sent: FormWithFiles, context: Route.ActionArgs['context']) =>
  submit(sent.form, permitInput, async () => {
    const chosen = 'Elige el archivo de tu permiso.'
    const file = sent.file('permit') ?? refuse('invalid-argument', undefined, { errors: { permit: chosen } })
    await handInPermit(context.get(db), context.get(drive), someone(context), file, new Date())
    return toast('/installation', 'Recibimos tu permiso', 'Gracias, ya quedó con tu instalación.')
  })

const anotherAction = (sent: FormWithFiles, context: Route.ActionArgs['context']) =>
  submit(sent.form, anotherInput, async () => {
    const actor = someone(context)
    await startAnother(context.get(db), actor, actor.id, new Date())
    return toast('/address', 'Empezamos otro proyecto', 'Dinos dónde instalamos tu otro cargador.')
  })

export default function Installation({ loaderData, actionData }: Route.ComponentProps) {
  const intent = actionData?.values.intent ?? ''
  const sentAbout = (actionData?.values as Partial<Record<string, string>> | undefined)?.appointmentId
  const heard = (name: string) => (intent === name ? actionData : undefined)
  const { cases, installed, permit } = loaderData
  const offersAnother = loaderData.stage === 'closed' && !loaderData.asksForRepair
  const isHeard =
    (installed.length > 0 && faultIntents.includes(intent)) ||
    (intent === anotherIntent && offersAnother) ||
    intent === permitIntent ||
    intent === caseIntent
  return (
    <ServicePage
      page={loaderData}
      result={isHeard ? undefined : actionData}
      current={<OwnCases cases={cases} result={heard(caseIntent)} />}
      permit={<Permit document={permit} result={heard(permitIntent)} />}
    >
      {installed.map((one) => (
        <InstalledCards
          key={one.appointmentId}
          installed={one}
          heard={(name) =>
            installed.length === 1 || sentAbout === one.appointmentId ? heard(name) : undefined
          }
        />
      ))}
      {offersAnother && (
        <Card title="¿Otro cargador?">
          <p className="text-mute">
            Para otro auto u otro domicilio empezamos un proyecto nuevo. Este cargador conserva su garantía.
          </p>
          <Form result={heard(anotherIntent)}>
            <Submit variant="ghost" name="intent" value={anotherIntent}>
              Instalar otro cargador
            </Submit>
          </Form>
        </Card>
      )}
    </ServicePage>
  )
}
