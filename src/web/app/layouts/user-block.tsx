import { LogOut } from 'lucide-react'
import { Link } from 'react-router'
import { type Actor, kindLabel } from '../../../domain/access/actor.ts'
import { SignOutForm } from '../../accounts/sign-out-form.tsx'

/** What the layout shows of who is signed in. */
export type Person = Pick<Actor, 'name' | 'lastname' | 'email' | 'role' | 'kind'>

/** Only what the layout shows: the rest of an actor stays on the server. */
export const personOf = ({ name, lastname, email, role, kind }: Actor) =>
  ({ name, lastname, email, role, kind }) as Person

/** Where a person finds their own account. */
export const accountPath = ({ role }: Pick<Person, 'role'>) =>
  role === 'customer' ? '/?cuenta' : '/admin/account'

/** The foot of the sidebar: who is signed in, the way to the account, and the way out. */
export function UserBlock({ person }: { person: Person }) {
  return (
    <div className="grid gap-1 border-t border-line pt-3">
      <Link
        to={accountPath(person)}
        prefetch="intent"
        className="grid rounded-control px-3 py-2 text-[0.9375rem] hover:bg-hover"
      >
        <span className="truncate font-semibold">
          {person.name} {person.lastname}
        </span>
        <span className="truncate text-sm text-mute">{person.email}</span>
        <span className="text-sm text-mute">{kindLabel(person)}</span>
      </Link>
      <SignOutForm>
        <button
          type="submit"
          className="flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-[0.9375rem] hover:bg-hover"
        >
          <LogOut aria-hidden className="size-5 text-mute" />
          Cerrar sesión
        </button>
      </SignOutForm>
    </div>
  )
}
