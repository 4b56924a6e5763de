import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  layout('layouts/clean.tsx', [
    route('signin', 'accounts/signin.tsx'),
    route('signup', 'accounts/signup.tsx'),
    route('recover-password', 'accounts/recover.tsx'),
    route('completion', 'accounts/completion.tsx'),
    route('dev/correo', 'mail/outbox.tsx'),
  ]),
  route('signout', 'accounts/signout.ts'),
  route('v1/session', 'session/current.ts'),
  route('v1/session/:operation', 'session/endpoint.ts'),
  layout('layouts/internal.tsx', [
    index('home/customer.tsx'),
    route('address', 'addresses/address.tsx'),
    route('technics-visit', 'appointments/technics-visit.tsx'),
    route('agenda-technics-visit', 'appointments/book.tsx'),
    route('admin', 'home/staff.tsx'),
    route('admin/assignations', 'appointments/assignations.tsx'),
    route('admin/assignations/:id', 'appointments/assign.tsx'),
    route('admin/appointments-pending', 'appointments/pending.tsx'),
    route('admin/appointments-pending/:id', 'appointments/pending-detail.tsx'),
    route('admin/appointments-done', 'appointments/done.tsx'),
    route('admin/appointments-done/:id', 'appointments/done-detail.tsx'),
    route('admin/agencies', 'agencies/agencies.tsx'),
    route('admin/agencies/add', 'agencies/add-agency.tsx'),
    route('admin/agency/:id', 'agencies/agency.tsx'),
    route('admin/users', 'users/users.tsx'),
    route('admin/users/:id', 'users/user.tsx'),
    route('admin/account', 'accounts/account.tsx'),
  ]),
  route('*', 'not-found.tsx'),
] satisfies RouteConfig
