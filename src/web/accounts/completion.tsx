import { kindLabels, type StaffKind } from '../../domain/actor.ts'
import { createInput } from '../../domain/invitation.ts'
import { orRefuse } from '../../domain/result.ts'
import { db, session } from '../../server/context.ts'
import { createUser } from '../../server/users/create.ts'
import { invitationAtHome } from '../../server/users/shown-invitation.ts'
import { toast } from '../flash.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { UselessInvitation } from '../users/invitation-card.tsx'
import { codeIn } from '../users/invitation-link.ts'
import type { Route } from './+types/completion.ts'

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    const code = codeIn(url)
    return { code, invitation: await invitationAtHome(context.get(db), someone(context), code, new Date()) }
  })

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, createInput, async ({ invitacion, ...profile }) => {
    const claim = { code: invitacion, sessionId: context.get(session)?.id, now: new Date() }
    orRefuse(await createUser(context.get(db), someone(context), profile, claim))
    return toast('/', `Te damos la bienvenida, ${profile.name}`)
  })

export default function Completion({ loaderData: { code, invitation }, actionData }: Route.ComponentProps) {
  return (
    <Card>
      <PageHeader title="Completa tu perfil" subtitle="Así sabremos cómo llamarte y a dónde marcarte." />
      {invitation && invitation.is !== 'yours' && <UselessInvitation invitation={invitation} />}
      <Form result={actionData}>
        <Field label="Nombre" name="name" autoComplete="given-name" enterKeyHint="next" />
        <Field label="Apellidos" name="lastname" autoComplete="family-name" enterKeyHint="next" />
        <Field
          label="Teléfono"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          enterKeyHint="done"
          help="10 dígitos, con o sin espacios."
        />
        {invitation?.is === 'yours' && <InvitedRole {...invitation} />}
        {code && <input type="hidden" name="invitacion" value={code} />}
        <Submit>Guardar</Submit>
      </Form>
      <form method="post" action="/signout" className="text-center">
        <button type="submit" className="min-h-11 text-[0.9375rem] text-mute underline underline-offset-4">
          Cerrar sesión
        </button>
      </form>
    </Card>
  )
}

/** The role choice of the specification (§4), which an invitation has made already. */
function InvitedRole({ kind, agency }: { kind: StaffKind; agency: string | null }) {
  return (
    <Select
      label="Rol"
      name="role"
      options={[{ value: kind, label: kindLabels[kind] }]}
      help={agency ? `Lo fija tu invitación, con la concesionaria ${agency}.` : 'Lo fija tu invitación.'}
    />
  )
}
