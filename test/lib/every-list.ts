import type { storers } from './listed-rows.ts'

type List = {
  path: string
  rows: keyof typeof storers
  /** Whether it begins with the first row or with the last. */
  order: 'up' | 'down'
  /** What comes before the time in its order. */
  first?: string
  /** Whether its order can be turned round, or by which columns it can be ordered besides. */
  turns?: true | string[]
  size?: number
  /** How many of its first rows (61, where a page holds 50) each of the `kinds` finds, or where they are led; 200 is a screen without it. */
  found: string
  /** What its page says it counts. */
  noun?: string
  /** What else finds the hostile row, and nothing besides it. */
  by?: string[]
  /** How many of them a filter leaves; none where no words narrow the list. */
  filters?: Record<string, number>
  /** By which days it is narrowed: the filter beside "from" and "to", none for the usual ones. */
  days?: readonly string[]
  /** The file of the same rows: its name, its columns, and what stands in the line of the hostile row, "*" for anything; whether ticked rows are one too. */
  file?: { path: string; name: string; columns: string; line: string; ticks?: true }
}

const visitColumns =
  'Folio,Servicio,Estado,Fecha,Hora,Minutos,Cliente,Teléfono,Correo,Zona,Domicilio (de varios),Calle y número,Código postal,Persona,Confirmada,Resultado,Motivo,Nota de cierre'
/** Their lastname, e-mail and phone. */
const byPerson = ['peña31 {list}', '{list}031-', '{list} 5510000031']
const visitFilters = { 'service=installation': 20, 'zone=tlalpan': 15 }
const clientFilters = { 'stage=intake': 61, 'stage=visit': 0, 'ally={ally}': 46 }
const codeFilters = { 'state=active': 41, 'state=paused': 20 }

/** Each list of the office and of allies, with its rows and what it answers. */
export const lists: Record<string, List> = {
  unassigned: {
    path: '/admin/assignations?',
    rows: 'requested',
    order: 'up',
    found: '50 /admin /admin /admin /admin /admin',
  },
  pending: {
    path: '/admin/appointments-pending?',
    rows: 'requested',
    order: 'up',
    turns: true,
    noun: 'citas',
    found: '61 61 0 /admin 51 0',
    by: byPerson,
    filters: { ...visitFilters, 'state=requested': 61, 'state=assigned': 0 },
    days: [''],
    file: {
      ticks: true,
      path: '/admin/appointments-pending.csv?',
      name: 'proximas-citas',
      columns: visitColumns,
      line: ",Visita técnica,*m.,60,'=Íñigo pending031 100%\\_ Peña31,551 000 00 31,*@prueba.mx,Coyoacán,",
    },
  },
  done: {
    path: '/admin/appointments-done?',
    rows: 'done',
    order: 'down',
    turns: true,
    noun: 'citas',
    found: '61 61 0 0 51 0',
    by: byPerson,
    filters: { ...visitFilters, 'state=done': 61, 'state=cancelled': 0 },
    days: [''],
    file: {
      ticks: true,
      path: '/admin/appointments-done.csv?',
      name: 'citas-realizadas',
      columns: visitColumns,
      line: ",Visita técnica,Realizada,*,60,'=Íñigo done031 *,Coyoacán,",
    },
  },
  quotes: {
    path: '/admin/cotizations?',
    rows: 'quotes',
    order: 'down',
    turns: ['sent', 'end', 'worth'],
    noun: 'cotizaciones',
    found: '61 61 0 0 51 0',
    by: byPerson,
    filters: { 'state=viewed': 12, 'state=sent': 49, 'analyst={manager}': 20, 'agency={agency}': 51 },
    days: ['', '&date=end'],
    file: {
      ticks: true,
      path: '/admin/cotizations.csv?',
      name: 'cotizaciones',
      columns:
        'Folio,Versión,Tipo,Estado,Cliente,Teléfono,Correo,Zona,Domicilio (de varios),Concesionaria,Analista,Creada,Enviada,Vence,Aceptada,Opción,Opción menor,Opción mayor,Total aceptado,Anticipo,Pagado del proyecto,Motivo',
      line: ",1,Instalación,Enviada,'=Íñigo quotes031 100%\\_ Peña31,551 000 00 31,*,1234567.05,",
    },
  },
  users: {
    path: '/admin/users?',
    rows: 'users',
    order: 'up',
    turns: ['created'],
    noun: 'personas',
    found: '61 10 10 10 0 0',
    by: byPerson,
    filters: { 'role=staff': 15, 'role=customer': 46, 'kind=analyst': 15, 'kind=gester': 0, 'active=no': 21 },
  },
  agencies: {
    path: '/admin/agencies?',
    rows: 'agencies',
    order: 'up',
    turns: ['clients'],
    noun: 'concesionarias',
    found: '61 61 61 61 0 0',
    by: ['MARCA 31', 'oscar 31'],
    filters: { 'active=no': 20, 'active=yes': 41 },
  },
  projects: {
    path: '/admin/clients?',
    rows: 'projects',
    order: 'up',
    turns: ['moved', 'created'],
    noun: 'proyectos',
    found: '61 61 /admin 0 /admin /admin',
    by: byPerson,
    filters: {
      'stage=intake': 61,
      'stage=cfe': 0,
      'turn=customer': 61,
      'turn=gester': 0,
      'agency={agency}': 51,
    },
    days: [''],
    file: {
      ticks: true,
      path: '/admin/clients.csv?',
      name: 'clientes',
      columns:
        'Cliente,Teléfono,Correo,Etapa,Le toca a,Desde,Zona,Domicilio (de varios),Concesionaria,Cliente desde',
      line: "'=Íñigo projects031 100%\\_ Peña31,551 000 00 31,*,Registro,Cliente,*/*,,,Concesionaria de prueba,",
    },
  },
  payments: {
    path: '/admin/payments/libro?',
    rows: 'payments',
    order: 'down',
    turns: ['amount'],
    noun: 'pagos',
    found: '61 61 /admin /admin /admin /admin',
    by: ['pena31 {list}'],
    filters: {
      'state=paid': 20,
      'state=pending': 41,
      'method=cash': 20,
      'concept=extra_work': 61,
      'concept=deposit': 0,
      'year=2019': 0,
    },
    days: [''],
    file: {
      ticks: true,
      path: '/admin/payments.csv?',
      name: 'pagos',
      columns:
        'Folio,Fecha,Cliente,Domicilio (de varios),RFC,Concepto,Cotización,Método,Estado,Subtotal,IVA,Cantidad,Banco,Clave de rastreo,UUID de la factura',
      line: "/*,'=Íñigo payments031 100%\\_ Peña31,,,Trabajo adicional,,,Pendiente,86.21,13.79,100.00,,,",
    },
  },
  movements: {
    path: '/admin/payments/banco?',
    rows: 'movements',
    order: 'up',
    found: '61 61 /admin /admin /admin /admin',
  },
  cases: {
    path: '/admin/gesties?',
    rows: 'cases',
    first: 'whose turn it is',
    order: 'up',
    turns: ['wait'],
    noun: 'trámites',
    found: '61 /admin /admin 36 /admin /admin',
    by: byPerson,
    filters: {
      'state=filed': 15,
      'turn=gester': 46,
      'kind=new_service': 20,
      'gester=nadie': 24,
      'gester={gester}': 12,
      'over=1': 0,
    },
    days: [''],
    file: {
      path: '/admin/gesties.csv?',
      name: 'tramites',
      columns: 'Folio,Trámite,Cliente,Zona,Domicilio (de varios),Estado,Le toca a,Desde,Fecha límite,Gestor',
      line: ",'=Íñigo cases031 100%\\_ Peña31,,,*,Gestor,*/*,*/*,",
      ticks: true,
    },
  },
  clients: {
    path: '/admin/alliate/clients?',
    rows: 'clients',
    order: 'down',
    noun: 'clientes',
    found: '/admin /admin /admin /admin 61 0',
    filters: clientFilters,
    file: {
      path: '/admin/alliate/clients.csv?',
      name: 'clientes',
      columns:
        'Nombre,Etapa,Le toca a,Desde,Próxima cita,Fecha de la próxima,Última cita,Fecha de la última,Código,Aliado,Cliente desde,Auto,Referencia',
      line: "'=Íñigo clients031 100%\\_,Registro,Cliente,*/*,,,,,,Alicia,",
    },
  },
  // Of one agency, for the office.
  attributed: {
    path: '/admin/agency/{agency}/clientes?',
    rows: 'clients',
    order: 'down',
    found: '61 200 /admin/agency/{agency} /admin/agency/{agency} 200 404',
    filters: clientFilters,
  },
  codes: {
    path: '/admin/alliate/codes?',
    rows: 'codes',
    order: 'down',
    first: 'those that can be used',
    noun: 'códigos',
    found: '/admin /admin /admin /admin 61 0',
    filters: codeFilters,
  },
  coupons: {
    path: '/admin/agency/{agency}/codigos?',
    rows: 'codes',
    order: 'down',
    first: 'those that can be used',
    noun: 'códigos',
    found: '61 61 /admin/agency/{agency} /admin/agency/{agency} 61 404',
    filters: codeFilters,
  },
  blocked: {
    path: '/admin/users/bloqueadas?',
    rows: 'blocked',
    order: 'down',
    size: 20,
    found: '31 404 404 404 404 404',
  },
}
