import { faultIntents } from '../../domain/warranty.ts'
import { afterRefusal } from '../after-refusal.ts'
import { faultAction } from '../onsite/fault-action.ts'
import { formWithPhoto } from '../onsite/form-with-photo.ts'
import { InstalledCards } from '../onsite/installed-cards.tsx'
import { ownInstalled } from '../onsite/installed-loader.ts'
import type { Route } from './+types/installation.ts'
import { ownAction } from './own-action.ts'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

export const loader = async ({ context }: Route.LoaderArgs) => {
  const page = await ownService(context, 'installation')
  return { ...page, installed: await ownInstalled(context, page.past) }
}

export const action = async ({ request, context }: Route.ActionArgs) => {
  const sent = await formWithPhoto(request)
  const isAboutFault = faultIntents.includes(sent.intent)
  return isAboutFault ? faultAction(sent, context) : ownAction(sent.form, context, 'installation')
}

export default function Installation({ loaderData, actionData }: Route.ComponentProps) {
  const intent = actionData?.values.intent ?? ''
  const heard = (name: string) => (intent === name ? actionData : undefined)
  const { installed } = loaderData
  return (
    <ServicePage
      page={loaderData}
      result={installed && faultIntents.includes(intent) ? undefined : actionData}
    >
      {installed && <InstalledCards installed={installed} heard={heard} />}
    </ServicePage>
  )
}
