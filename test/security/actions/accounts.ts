import { type Actions, everybodyNamed, signedIn, strangers } from './shape.ts'

/** Entering, leaving, and who one is. */
export const accounts: Actions = {
  'accounts/signin.tsx': [
    {
      name: 'sign in',
      attempt: async () => ({
        path: '/signin',
        // Without a password: a wrong one would count against the account.
        form: { email: 'nadie@prueba.mx', password: '' },
      }),
      hears: { ...signedIn, ...strangers(400) },
    },
  ],
  'accounts/signup.tsx': [
    {
      name: 'sign up',
      attempt: async () => ({ path: '/signup', form: { email: 'nadie@prueba.mx', password: 'corta' } }),
      hears: { ...signedIn, ...strangers(400) },
    },
  ],
  'accounts/signout.ts': [],
}

/** The last: afterwards nobody is without a name any more. */
export const completion: Actions = {
  'accounts/completion.tsx': [
    {
      name: 'complete the profile',
      attempt: async () => ({
        path: '/completion',
        form: { name: 'Nueva', lastname: 'Persona', phone: '5511112222' },
      }),
      hears: everybodyNamed('/'),
      may: { unnamed: 303, unnamedStaff: 303 },
    },
  ],
}
