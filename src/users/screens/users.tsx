import { redirect } from 'react-router'
import { isAlly, kindLabel, kindLabels, staffKinds } from '../../access/rules/actor.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field, Select } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { useFormAccepted } from '../../kit/form/use-action-data.ts'
import { anId, choiceFilter, orders, readList, searched } from '../../kit/list/filters.ts'
import { type List, ListBody, type ListColumn, ListHeader } from '../../kit/list/list-body.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { dayIn, untilDay } from '../../shared/format.ts'
import { shownEmail } from '../../shared/mailbox.ts'
import { unwrap } from '../../shared/refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { Details } from '../../ui/card.tsx'
import { rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { PhoneLine } from '../../ui/phone-line.tsx'
import {
  type Invitation,
  invite,
  pendingInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../invite.ts'
import { type AgencyName, agencyNames, readStaff, usersPage } from '../queries.ts'
import { aboutInvitation, inviteInput } from '../rules/schema.ts'
import { calledBy, managesPeople, type User } from '../rules/user.ts'
import { viewsOf } from '../saved-views.ts'
import type { Route } from './+types/users.ts'
import { AgencySelect } from './agency-select.tsx'

/** `invitedBy` and `ends` in words. */
type Shown = Omit<Invitation, 'expiresAt' | 'agencyId'> & { ends: string }

const aboutOne = ['resend', 'withdraw']

/** Invitations without an answer, each with its two buttons. */
function InvitationList({ invitations }: { invitations: readonly Shown[] }) {
  const result = useFormResult(aboutOne)
  return (
    <Details summary={`Invitaciones abiertas (${invitations.length})`} open={result !== undefined}>
      <ul className="grid gap-4">
        {invitations.map((invitation) => (
          <li
            key={invitation.id}
            className="grid gap-3 border-line not-first:border-t not-first:pt-4 lg:flex lg:items-center lg:justify-between"
          >
            <InvitationFacts invitation={invitation} />
            <Form intent={aboutOne} target={{ invitationId: invitation.id }} className="grid-cols-2 gap-3">
              <Submit
                variant="ghost"
                name="intent"
                value="resend"
                aria-label={`Reenviar a ${invitation.email}`}
              >
                Reenviar
              </Submit>
              <Submit
                variant="ghost"
                name="intent"
                value="withdraw"
                aria-label={`Retirar la de ${invitation.email}`}
              >
                Retirar
              </Submit>
            </Form>
          </li>
        ))}
      </ul>
    </Details>
  )
}

function InvitationFacts({
  invitation: { email, kind, agency, invitedBy, ends, state },
}: {
  invitation: Shown
}) {
  return (
    <div className="grid min-w-0 gap-1">
      <p className="font-semibold break-all">{email}</p>
      <p className="text-sm text-mute">
        {kindLabels[kind]}
        {agency && ` de ${agency}`} · invitación de {invitedBy ?? 'quien administra el servidor'}
      </p>
      {state === 'expired' ? (
        <Badge tone="wait" className="justify-self-start">
          Vencida
        </Badge>
      ) : (
        <p className="text-sm text-mute">Vence {ends}</p>
      )}
    </div>
  )
}

/** Asks whom to invite and in which role. */
function InviteDialog({ agencies }: { agencies: readonly AgencyName[] }) {
  const result = useFormResult('invite')
  return (
    <Dialog
      key={useFormAccepted(result)}
      trigger="Invitar"
      variant="primary"
      title="Invitar al equipo"
      description="Le llega un correo con un enlace que sirve una sola vez, durante 7 días."
      defaultOpen={result !== undefined}
    >
      <Form intent="invite" className="group">
        <Field
          label="Correo electrónico"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          enterKeyHint="next"
        />
        <Select
          label="Rol"
          name="kind"
          placeholder="Elige uno"
          options={staffKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
        />
        <AgencySelect agencies={agencies} />
        <Submit>Enviar invitación</Submit>
      </Form>
    </Dialog>
  )
}

type Loaded = Route.ComponentProps['loaderData']

const agencyOf = ({ agency }: User, { agencies }: Loaded) => agencies.find(({ id }) => id === agency)?.name
const manages = (loaded: Loaded) => loaded.manages

/** Only the manager's list includes inactive people. */
const columns: readonly ListColumn<User, Loaded>[] = [
  {
    header: 'Nombre',
    main: true,
    sorts: ['ascending'],
    cell: (user) => (
      <>
        <Link to={`/admin/users/${user.uid}`} prefetch="intent" discover="none" className={rowLinkClass}>
          {user.name ? calledBy(user) : 'Sin nombre todavía'}
        </Link>
        <PhoneLine phone={user.phone} />
      </>
    ),
  },
  {
    header: 'Rol',
    cell: (user, loaded) => (
      <>
        {kindLabel(user)}
        {agencyOf(user, loaded) && <SecondLine>{agencyOf(user, loaded)}</SecondLine>}
      </>
    ),
  },
  { header: 'Correo', cell: ({ email }) => shownEmail(email) },
  {
    header: 'Cuenta',
    whole: true,
    when: manages,
    cell: ({ active }) => (active ? 'Activa' : <Badge tone="neutral">Inactiva</Badge>),
  },
  {
    header: 'Alta',
    whole: true,
    when: manages,
    sorts: ['descending', 'created'],
    cell: ({ createdAt }, { now }) => dayIn(createdAt, now),
  },
]

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

const list = {
  path: '/admin/users',
  title: 'Usuarios',
  words: ['persona', 'personas'],
  saved: 'users',
  empty: 'No hay nadie con estos filtros.',
  filters: {
    text: searched('Nombre, correo o teléfono'),
    role: choiceFilter('Grupo', { customer: 'Clientes', staff: 'Equipo' }),
    kind: choiceFilter('Rol', kindLabels),
    active: choiceFilter('Cuenta', { yes: 'Activas', no: 'Inactivas', blocked: 'Bloqueadas' }, 'Todas'),
    agency: { ...anId, label: 'Concesionaria', all: 'Todas' },
    order: orders('De la A a la Z', {
      reverse: 'De la Z a la A',
      created: 'Altas más recientes',
      'created-reverse': 'Altas más antiguas',
    }),
  },
} satisfies List

const listOf = ({ manages }: Loaded): List =>
  manages ? list : { ...list, words: ['persona del equipo', 'personas del equipo'] }

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const db = await requestOf(context).lists()
    const { actor, now } = signedIn(context)
    const { after, asked, page } = readList(list, url, now)
    const { active, ...rest } = asked
    const filters = { ...rest, ...(active && active !== 'blocked' && { active: active === 'yes' }) }
    // Blocked accounts do not identify a person any more, so they are a list of their own.
    if (active === 'blocked' && managesPeople(actor)) throw redirect('/admin/users/bloqueadas')
    const [users, agencies, invitations, saved] = await Promise.all([
      usersPage(db, actor, filters, after),
      agencyNames(db, actor),
      pendingInvitations(db, actor, now),
      viewsOf(db, actor, 'users'),
    ])
    const staff = invitations.length > 0 ? unwrap(await readStaff(db, actor)) : {}
    return {
      ...page(users),
      saved,
      now,
      agencies,
      manages: managesPeople(actor),
      // An ally sees colleagues of one kind only.
      byKind: !isAlly(actor),
      invitations: invitations.map(({ id, email, kind, agency, state, invitedBy, expiresAt }) => {
        const inviter = invitedBy === null ? undefined : staff[invitedBy]
        const words = { invitedBy: inviter ? calledBy(inviter) : null, ends: untilDay(expiresAt, now) }
        return { id, email, kind, agency, state, ...words }
      }),
    }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  return {
    invite: form(inviteInput, async (input) => {
      await invite(db, actor, input, now)
      return redirectWithToast(
        '/admin/users',
        'Enviamos la invitación',
        `A ${input.email}. Sirve durante 7 días.`,
      )
    }),
    resend: form(aboutInvitation, async ({ invitationId }) => {
      await resendInvitation(db, actor, invitationId, now)
      return redirectWithToast('/admin/users', 'Reenviamos la invitación', 'El enlace anterior ya no sirve.')
    }),
    withdraw: form(aboutInvitation, async ({ invitationId }) => {
      await withdrawInvitation(db, actor, invitationId, now)
      return redirectWithToast('/admin/users', 'Retiraste la invitación', 'Su enlace ya no sirve.')
    }),
  }
})

export default function Users({ loaderData }: Route.ComponentProps) {
  const { agencies, byKind, invitations, manages } = loaderData
  const list = listOf(loaderData)
  return (
    <>
      <ListHeader list={list} loaded={loaderData} actions={manages && <InviteDialog agencies={agencies} />} />
      <OrphanedFormError />
      {invitations.length > 0 && <InvitationList invitations={invitations} />}
      <ListBody
        list={list}
        loaded={loaderData}
        offers={
          manages
            ? { agency: agencies }
            : { role: null, kind: byKind ? undefined : null, active: null, order: ['reverse'] }
        }
        columns={columns}
      />
    </>
  )
}
