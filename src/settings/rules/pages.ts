import type { SettingsSection } from './settings.ts'

/** What the configuration is edited in: its sections, the matrix of travel, and the catalogue of prices. */
export type SettingsPage = SettingsSection | 'travel' | 'catalogue'

type PageFacts = { slug: string; title: string; about: string }

/** Each page: its name in the address, its title, and what it decides. */
export const settingsPages: Record<SettingsPage, PageFacts> = {
  hours: {
    slug: 'horario',
    title: 'Horario de atención',
    about: 'Las citas caben dentro de estas horas. Deja las dos vacías si ese día no abren.',
  },
  slots: { slug: 'agenda', title: 'Horarios que se ofrecen', about: 'Cómo se reparte el día.' },
  holidays: { slug: 'festivos', title: 'Días festivos', about: 'Esos días nadie atiende citas.' },
  papers: {
    slug: 'papeles',
    title: 'Papeles de técnicos',
    about:
      'A quien ya tiene un papel revisado se le pide vigente el día de la cita. Aquí decides si también a los demás.',
  },
  travel: {
    slug: 'traslados',
    title: 'Traslados',
    about: 'Minutos de camino entre una cita y la siguiente.',
  },
  technical_visit: { slug: 'visita', title: 'Visita técnica', about: 'Reglas de la visita técnica.' },
  installation: { slug: 'instalacion', title: 'Instalación', about: 'Reglas de la instalación.' },
  videocall: { slug: 'asesoria', title: 'Asesoría virtual', about: 'Reglas de la asesoría virtual.' },
  changes: {
    slug: 'cambios',
    title: 'Cambios del cliente',
    about: 'Hasta dónde puede mover su cita sin ayuda.',
  },
  confirmation: {
    slug: 'confirmacion',
    title: 'Confirmación automática',
    about: 'Cuándo se confirma sola una asignación que nadie revisó.',
  },
  outward: {
    slug: 'avisos',
    title: 'Límites de avisos',
    about: 'Cuánto puede hacernos escribir un cliente o una concesionaria.',
  },
  support: {
    slug: 'contacto',
    title: 'Contacto de ayuda',
    about: 'Lo que ve quien pide ayuda, en todas las páginas y correos.',
  },
  estimate: {
    slug: 'estimado',
    title: 'Estimado de instalación',
    about: 'Con esto se calcula el estimado público. Precios con IVA.',
  },
  quotes: {
    slug: 'cotizaciones',
    title: 'Cotizaciones nuevas',
    about: 'Con lo que empieza una cotización nueva. Las enviadas no cambian.',
  },
  catalogue: {
    slug: 'catalogo',
    title: 'Catálogo de precios',
    about:
      'De aquí se arman las cotizaciones. Un precio nuevo solo cambia los borradores que empiecen después.',
  },
  spei: { slug: 'transferencias', title: 'Transferencias SPEI', about: 'A qué cuenta pagan los clientes.' },
  visitFee: {
    slug: 'precio-visita',
    title: 'Precio de la visita',
    about: 'Se dice antes de agendar, y se descuenta del anticipo.',
  },
  issuer: {
    slug: 'facturacion',
    title: 'Facturación',
    about: 'Quién emite las facturas, como lo conoce el SAT.',
  },
}

export const settingsGroups: readonly { title: string; pages: readonly SettingsPage[] }[] = [
  { title: 'Agenda', pages: ['hours', 'slots', 'holidays', 'travel', 'papers'] },
  { title: 'Servicios', pages: ['technical_visit', 'installation', 'videocall'] },
  { title: 'Cambios y confirmación', pages: ['changes', 'confirmation', 'outward'] },
  { title: 'Público', pages: ['support', 'estimate'] },
  { title: 'Cobros', pages: ['quotes', 'catalogue', 'visitFee', 'spei', 'issuer'] },
]

const names = Object.keys(settingsPages) as SettingsPage[]

/** The page that a slug of the address names; null for the list of them. */
export const pageNamed = (slug: string | null): SettingsPage | null =>
  names.find((name) => settingsPages[name].slug === slug) ?? null

/** The address of a page; without one, that of the list of them. */
export const settingsPath = (page?: SettingsPage) =>
  `/admin/account/configuracion${page ? `/${settingsPages[page].slug}` : ''}`

/** Where the travel from one municipality is edited. */
export const travelPath = (from: string) => `${settingsPath('travel')}?desde=${encodeURIComponent(from)}`

/** The address's word for a new item of the catalogue; its codes are in capitals. */
export const newItem = 'nueva'
/** Where an item of the catalogue is edited. */
export const itemPath = (code: string) => `${settingsPath('catalogue')}/${encodeURIComponent(code)}`

/** The page that older links name in the query of the account's address; null for any other address. */
export function settingsMovedTo({ searchParams }: URL): string | null {
  const slug = searchParams.get('configuracion')
  if (slug === null) return null
  const page = pageNamed(slug)
  const from = searchParams.get('desde')
  const item = searchParams.get('partida')
  if (page === 'travel' && from) return travelPath(from)
  return page === 'catalogue' && item ? itemPath(item) : settingsPath(page ?? undefined)
}
