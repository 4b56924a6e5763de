import { redirect } from 'react-router'
import { z } from 'zod'
import { kindLabels, staffKinds } from '../../domain/access/actor.ts'
import { relative, thousands } from '../../domain/shared/format.ts'
import { orRefuse } from '../../domain/shared/refusal.ts'
import { inviteInput } from '../../domain/users/schema.ts'
import { calledBy, managesPeople } from '../../domain/users/user.ts'
import { db } from '../../server/app/context.ts'
import { type AgencyName, agencyNames } from '../../server/users/agency-names.ts'
import { pendingInvitations } from '../../server/users/invitations.ts'
import { invite, resendInvitation, withdrawInvitation } from '../../server/users/invite.ts'
import { usersPage } from '../../server/users/page.ts'
import { readStaff } from '../../server/users/store.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import {
  anId,
  choicesOf,
  FilterBar,
  type FilterField,
  namedChoices,
  oneOf,
  pageLinks,
  readFilters,
  searched,
} from '../lib/lists.tsx'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/users.ts'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { UserTable } from './user-table.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

const filterSchema = {
  text: searched(),
  role: oneOf(['customer', 'staff']),
  kind: oneOf(staffKinds),
  active: oneOf(['yes', 'no', 'blocked']),
  agency: anId,
}

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor] = [context.get(db), someone(context)]
    const { after, filters: asked } = readFilters(filterSchema, url)
    const { active, ...rest } = asked
    const filters = { ...rest, ...(active && active !== 'blocked' && { active: active === 'yes' }) }
    // Nobody knows who they are any more, so they are a list of their own.
    if (active === 'blocked' && managesPeople(actor)) throw redirect('/admin/users/bloqueadas')
    const [page, agencies, invitations] = await Promise.all([
      usersPage(database, actor, filters, after),
      agencyNames(database, actor),
      pendingInvitations(database, actor, new Date()),
    ])
    const staff = invitations.length > 0 ? orRefuse(await readStaff(database, actor)) : {}
    return {
      ...page,
      asked,
      agencies,
      manages: managesPeople(actor),
      // An ally sees colleagues of one kind only.
      byKind: actor.kind !== 'alliate',
      invitations: invitations.map(({ id, email, kind, agency, state, invitedBy, expiresAt }) => {
        const inviter = invitedBy === null ? undefined : staff[invitedBy]
        const words = { invitedBy: inviter ? calledBy(inviter) : null, ends: relative(expiresAt, new Date()) }
        return { id, email, kind, agency, state, ...words }
      }),
      ...pageLinks(asked, after, page.next),
    }
  })

const staleForm = 'Ese botón ya no sirve. Vuelve a abrir la página.'
const invitationId = z.uuid(staleForm)
const formInput = z.discriminatedUnion(
  'intent',
  [
    z.object({ intent: z.literal('resend'), invitationId }),
    z.object({ intent: z.literal('withdraw'), invitationId }),
    inviteInput.safeExtend({ intent: z.literal('invite') }),
  ],
  staleForm,
)

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, formInput, async (input) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    if (input.intent === 'resend') {
      await resendInvitation(database, actor, input.invitationId, now)
      return toast('/admin/users', 'Reenviamos la invitación', 'El enlace anterior ya no sirve.')
    }
    if (input.intent === 'withdraw') {
      await withdrawInvitation(database, actor, input.invitationId, now)
      return toast('/admin/users', 'Retiraste la invitación', 'Su enlace ya no sirve.')
    }
    await invite(database, actor, input, now)
    return toast('/admin/users', 'Enviamos la invitación', `A ${input.email}. Sirve durante 7 días.`)
  })

export default function Users({ loaderData, actionData }: Route.ComponentProps) {
  const { byKind, manages, rows, total, asked, agencies, invitations, first, next } = loaderData
  const inviting = actionData?.values.intent === 'invite' ? actionData : undefined
  const people = manages ? ['persona', 'personas'] : ['persona del equipo', 'personas del equipo']
  return (
    <>
      <PageHeader
        title="Usuarios"
        subtitle={`${thousands(total)} ${people[total === 1 ? 0 : 1]}`}
        actions={manages && <InviteDialog agencies={agencies} result={inviting} />}
      />
      {invitations.length > 0 && (
        <InvitationList invitations={invitations} result={inviting ? undefined : actionData} />
      )}
      <FilterBar
        path="/admin/users"
        filters={asked}
        placeholder="Nombre, correo o teléfono"
        fields={byKind ? fieldsFor(manages, agencies) : []}
      />
      {rows.length === 0 ? (
        <EmptyState>No hay nadie con estos filtros.</EmptyState>
      ) : (
        <UserTable rows={rows} agencies={agencies} manages={manages} />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}

function fieldsFor(manages: boolean, agencies: readonly AgencyName[]): FilterField[] {
  const kind = { name: 'kind', label: 'Puesto', choices: choicesOf(kindLabels) }
  if (!manages) return [kind]
  return [
    { name: 'role', label: 'Rol', choices: choicesOf({ customer: 'Clientes', staff: 'Equipo' }) },
    kind,
    { name: 'active', label: 'Cuenta', choices: choicesOf(standings), all: 'Todas' },
    { name: 'agency', label: 'Concesionaria', choices: namedChoices(agencies), all: 'Todas' },
  ]
}

const standings = { yes: 'Activas', no: 'Inactivas', blocked: 'Bloqueadas' }
