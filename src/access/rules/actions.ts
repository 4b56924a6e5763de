import { editsAgencies } from '../../agencies/rules/agency.ts'
import { isPerformer } from '../../appointments/rules/appointment.ts'
import { readsProjects } from '../../projects/rules/pipeline.ts'
import { configures } from '../../settings/rules/settings.ts'
import { addDays } from '../../shared/calendar.ts'
import { nameScore } from '../../shared/search.ts'
import { withoutAccents } from '../../shared/text.ts'
import { managesPeople } from '../../users/rules/user.ts'
import { type Actor, isOffice, staffKinds } from './actor.ts'
import { menuFor } from './menu.ts'
import { type Modules, mayOpen } from './routes.ts'

/** Something that a user finds by its name: a screen, or the first step of a task. */
export type Action = { label: string; to: string }

type Viewer = Pick<Actor, 'role' | 'kind'>
type Known = Action & {
  /** Other words for it, which people type. */
  also: string
  /** Who may do it, where that is not everyone who may open its screen. */
  by?: (viewer: Viewer) => boolean
}

/** The words that people type for the screens of the menus, by their path. */
const alsoOfScreen: Readonly<Record<string, string>> = {
  '/admin': 'home, principal, pendientes, resumen',
  '/admin/assignations': 'tablero, agenda, asignar, por asignar, calendario',
  '/admin/appointments-pending': 'agenda, visitas, instalaciones, llamadas, citas pendientes',
  '/admin/appointments-done': 'historial, citas terminadas, reportes',
  '/admin/cotizations': 'presupuestos, precios',
  '/admin/clients': 'proyectos, prospectos',
  '/admin/gesties': 'tramites, cfe, medidor',
  '/admin/payments': 'cobros, comprobantes, por revisar',
  '/admin/agencies': 'concesionarias, agencias, distribuidores',
  '/admin/users': 'equipo, personal, cuentas, tecnicos, directorio',
  '/admin/alliate/clients': 'mis clientes, referidos',
  '/admin/alliate/codes': 'descuentos, promociones',
}

const plan = (date: string) => `/admin/assignations/plan?dia=${date}`
const configuration = (slug: string) => `/admin/account/configuracion/${slug}`
const set = (slug: string, label: string, also = ''): Known => ({
  label: `Configuración: ${label}`,
  to: configuration(slug),
  also: `${label}, configuracion de ${label}, ajustes, ${also}`,
  by: configures,
})

/** What is found besides the screens of the menus, on a local date. */
const others = (today: string): readonly Known[] => [
  {
    label: 'Nueva cita',
    to: '/admin/assignations/nueva',
    also: 'agendar, reservar, nuevo cliente, registrar cliente',
  },
  {
    label: 'Optimizar hoy',
    to: plan(today),
    also: 'plan del dia, repartir, rutas, optimizar el dia',
  },
  {
    label: 'Optimizar mañana',
    to: plan(addDays(today, 1)),
    also: 'plan de mañana, repartir, rutas, optimizar el dia',
  },
  {
    label: 'Tablero de mañana',
    to: `/admin/assignations?dia=${addDays(today, 1)}`,
    also: 'agenda de mañana, asignaciones de mañana',
  },
  {
    label: 'Citas de hoy',
    to: '/admin/appointments-pending?view=hoy',
    also: 'visitas de hoy, agenda de hoy',
  },
  {
    label: 'Citas de esta semana',
    to: '/admin/appointments-pending?view=semana',
    also: 'visitas de la semana, agenda de la semana',
  },
  {
    label: 'Citas tarde',
    to: '/admin/appointments-pending?view=tarde',
    also: 'atrasadas, retrasadas',
    by: isOffice,
  },
  {
    label: 'Citas sin persona',
    to: '/admin/appointments-pending?view=sin-persona',
    also: 'sin tecnico, nadie',
    by: isOffice,
  },
  {
    label: 'Reportes por revisar',
    to: '/admin/appointments-done?view=por-revisar',
    also: 'revisar reporte, visitas por revisar',
    by: isOffice,
  },
  {
    label: 'Llamar hoy',
    to: '/admin/clients?parte=llamar',
    also: 'llamadas de cotizaciones, seguimiento',
    by: (viewer) => readsProjects(viewer) === 'all',
  },
  {
    label: 'Cifras',
    to: '/admin/cifras',
    also: 'estadisticas, reportes, indicadores, ingresos, ocupacion, conversion, dias por etapa, puntualidad, cancelaciones',
    by: (viewer) => readsProjects(viewer) === 'all',
  },
  {
    label: 'Por cobrar',
    to: '/admin/payments/cobrar',
    also: 'cobranza, quien debe, adeudos, pagos vencidos',
  },
  { label: 'Libro de pagos', to: '/admin/payments/libro', also: 'todos los pagos, ingresos' },
  { label: 'Conciliar el banco', to: '/admin/payments/banco', also: 'estado de cuenta, movimientos, banco' },
  {
    label: 'Invitar a alguien al equipo',
    to: '/admin/users',
    also: 'nuevo usuario, alta de usuario, invitacion',
    by: managesPeople,
  },
  {
    label: 'Seguridad',
    to: '/admin/account/seguridad',
    also: 'frenar cuenta, cerrar red, cerrar sesiones, intentos, ataques',
    by: managesPeople,
  },
  {
    label: 'Cuentas bloqueadas',
    to: '/admin/users/bloqueadas',
    also: 'cuentas borradas, bloqueos',
    by: managesPeople,
  },
  {
    label: 'Dar de alta una concesionaria',
    to: '/admin/agencies/add',
    also: 'nueva concesionaria, nueva agencia',
    by: editsAgencies,
  },
  { label: 'Registrar a un cliente', to: '/admin/alliate/clients/registrar', also: 'nuevo cliente, invitar' },
  {
    label: 'Configuración del servicio',
    to: '/admin/account/configuracion',
    also: 'ajustes, reglas, precios',
    by: configures,
  },
  set('horario', 'horario de atención', 'dias, horas'),
  set('agenda', 'horarios que se ofrecen', 'intervalo'),
  set('festivos', 'días festivos', 'vacaciones, descanso'),
  set('traslados', 'traslados', 'minutos de camino'),
  set('visita', 'visita técnica', 'duracion'),
  set('instalacion', 'instalación', 'duracion'),
  set('asesoria', 'asesoría virtual', 'videollamada, duracion'),
  set('cambios', 'cambios del cliente', 'reagendar'),
  set('confirmacion', 'confirmación automática'),
  set('contacto', 'contacto de ayuda', 'telefono, whatsapp'),
  set('estimado', 'estimado de instalación'),
  set('cotizaciones', 'cotizaciones nuevas', 'vigencia, anticipo'),
  set('catalogo', 'catálogo de precios', 'catalogo, configuracion de catalogo, lista de precios'),
  set('precio-visita', 'precio de la visita', 'costo'),
  set('transferencias', 'transferencias SPEI', 'clabe, cuenta'),
  set('facturacion', 'facturación', 'rfc, sat, emisor'),
  { label: 'Vistas guardadas', to: '/admin/vistas', also: 'filtros guardados, mis listas' },
  { label: 'Ayuda', to: '/admin/ayuda', also: 'preguntas, soporte, telefono' },
  { label: 'Mi cuenta', to: '/admin/account', also: 'perfil, contraseña, sesiones, segundo factor' },
  {
    label: 'Pedir permiso o vacaciones',
    to: '/admin/account#permisos',
    also: 'ausencia, dia libre',
    by: ({ kind }) => isPerformer(kind),
  },
]

/** The screens of all menus, by their path: found also by who may open one that is not in their own menu. */
const ofMenus: ReadonlyMap<string, Known> = new Map(
  staffKinds
    .flatMap((kind) => menuFor({ kind }).flatMap(({ items }) => items))
    .map(({ dir, label }) => [dir, { label, to: dir, also: alsoOfScreen[dir] ?? '' }]),
)

/** Every task and screen that a user may open, the screens of the menus last. */
function actionsFor(viewer: Viewer, on: Modules, today: string): Known[] {
  return [...others(today), ...ofMenus.values()].filter(
    ({ by, to }) => (by?.(viewer) ?? true) && mayOpen(to.split(/[?#]/)[0]!, viewer, on),
  )
}

/** An action that a search found, and how surely it means it, on the scale of `scoreOf`. */
export type FoundAction = Action & { score: number }

/** The actions that a text names, the likeliest first; without a text, the first ones. */
export function findActions(typed: string, viewer: Viewer, on: Modules, today: string): FoundAction[] {
  const known = actionsFor(viewer, on, today)
  const text = withoutAccents(typed).replace(/\s+/g, ' ')
  if (!text) return known.map(({ label, to }) => ({ label, to, score: 0 }))
  return known
    .flatMap(({ also, label, to }) => {
      const others = withoutAccents(also).split(', ').filter(Boolean)
      const score = Math.max(
        nameScore(text, withoutAccents(label)),
        ...others.map((one) => nameScore(text, one) - 12),
      )
      return score > 0 ? [{ label, to, score }] : []
    })
    .toSorted((one, other) => other.score - one.score)
}
