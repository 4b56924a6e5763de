import { permitInput } from '../../domain/permit-input.ts'
import { refuse } from '../../domain/refusal.ts'
import { faultIntents } from '../../domain/warranty.ts'
import { db, drive } from '../../server/context.ts'
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
    ownInstalled(context, page.past),
    ownPermit(context.get(db), someone(context)),
    ownCases(context),
  ])
  return { ...page, installed, permit, cases }
}

export const action = async ({ request, context }: Route.ActionArgs) => {
  const sent = await formWithFiles(request)
  if (sent.intent === caseIntent) return ownPaperAction(sent, context)
  if (sent.intent === permitIntent) return permitAction(sent, context)
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

export default function Installation({ loaderData, actionData }: Route.ComponentProps) {
  const intent = actionData?.values.intent ?? ''
  const heard = (name: string) => (intent === name ? actionData : undefined)
  const { cases, installed, permit } = loaderData
  const isHeard =
    (installed && faultIntents.includes(intent)) || intent === permitIntent || intent === caseIntent
  return (
    <ServicePage
      page={loaderData}
      result={isHeard ? undefined : actionData}
      current={<OwnCases cases={cases} result={heard(caseIntent)} />}
      permit={<Permit document={permit} result={heard(permitIntent)} />}
    >
      {installed && <InstalledCards installed={installed} heard={heard} />}
    </ServicePage>
  )
}
