import { sql } from 'drizzle-orm'
import type { Db } from '../platform/database/client.ts'
import { events } from '../platform/database/schema/projects.ts'

/** What happened to somebody's account, projects, addresses, appointments and money, the oldest first. */
export async function ownTrail(db: Db, id: string): Promise<{ what: string; at: Date }[]> {
  const rows = await db
    .select({ entity: events.entity, name: events.name, at: events.at })
    .from(events)
    .where(
      sql`${events.entityId} in (
        select ${id}::uuid
        union all select id from projects where customer_id = ${id}
        union all select a.id from addresses a join projects p on p.id = a.project_id where p.customer_id = ${id}
        union all select id from appointments where customer_id = ${id}
        union all select id from quotes where customer_id = ${id} and sent_at is not null
        union all select id from payments where customer_id = ${id}
        union all select id from refunds where customer_id = ${id}
        union all select id from clients where customer_id = ${id}
        union all select id from invoices where customer_id = ${id})`,
    )
    .orderBy(events.id)
  return rows.map(({ entity, name, at }) => ({
    what: `${entities[entity] ?? entity}: ${happenings[name] ?? name}`,
    at,
  }))
}

const entities: Record<string, string> = {
  user: 'Cuenta',
  project: 'Proyecto',
  address: 'Domicilio',
  appointment: 'Cita',
  quote: 'Cotización',
  payment: 'Pago',
  refund: 'Reembolso',
  fiscal: 'Datos fiscales',
  invoice: 'Factura',
  client: 'Concesionaria',
}

const happenings: Record<string, string> = {
  sign_up: 'creada',
  complete_profile: 'perfil completado',
  edit_profile: 'datos cambiados',
  choose_notices: 'avisos elegidos',
  change_password: 'contraseña cambiada',
  reset_password: 'contraseña recuperada',
  verify_email: 'correo confirmado',
  take_over: 'acceso de antes cerrado, por teléfono',
  disown: 'borrada: el correo era de otra persona',
  correct_profile: 'datos corregidos por la gerencia',
  ask_email_change: 'cambio de correo pedido',
  cancel_email_change: 'cambio de correo cancelado',
  change_email: 'correo cambiado',
  object_email_change: 'cambio de correo no reconocido',
  link_provider: 'entrada con otro servicio agregada',
  unlink_provider: 'entrada con otro servicio quitada',
  close_session: 'sesión cerrada',
  close_other_sessions: 'demás sesiones cerradas',
  change_role: 'rol cambiado',
  activate: 'activada',
  deactivate: 'desactivada',
  ask_deletion: 'eliminación pedida',
  take_back_deletion: 'eliminación cancelada',
  put_off_deletion: 'eliminación suspendida',
  block: 'datos bloqueados',
  erase: 'datos suprimidos',
  open: 'abierto',
  create: 'registrado',
  update: 'cambiado',
  archive: 'quitado',
  ask_for_notice: 'aviso pedido',
  book: 'agendada',
  assign: 'asignada',
  reassign: 'reasignada',
  confirm: 'confirmada',
  release: 'sin persona',
  change_address: 'cambió de domicilio',
  setOut: 'en camino',
  start: 'empezó',
  finish: 'terminó',
  cancel: 'cancelada',
  keepWaiting: 'siguió la espera en la sala',
  askCallBack: 'llamada por teléfono pedida',
  missCall: 'cancelada porque nadie llegó',
  without_person: 'se buscó quién la atienda',
  replace_provisional: 'se buscó a alguien más',
  optimise: 'otra persona elegida',
  turn_on_second_factor: 'segundo factor activado',
  turn_off_second_factor: 'segundo factor desactivado',
  remove_second_factor: 'segundo factor quitado',
  renew_recovery_codes: 'códigos de recuperación nuevos',
  make_calendar_link: 'enlace de calendario creado',
  remove_calendar_link: 'enlace de calendario quitado',
  promote: 'rol cambiado',
  change_agency: 'concesionaria cambiada',
  begin: 'preparada',
  send: 'enviada',
  view: 'vista',
  accept: 'aceptada',
  reject: 'rechazada',
  askChanges: 'cambios pedidos',
  askAnew: 'otra pedida',
  expire: 'vencida',
  withdraw: 'retirada',
  supersede: 'reemplazada',
  replace: 'reemplazada',
  improve: 'reemplazada por una con tu código',
  benefit: 'descuento de tu código agregado',
  lapse: 'terminó sin anticipo',
  moveHome: 'otro domicilio aprobado',
  leaveHome: 'otro domicilio aprobado, por cotizar de nuevo',
  ready: 'instalación lista para agendar',
  demand: 'pedido',
  send_proof: 'comprobante enviado',
  reject_proof: 'comprobante rechazado',
  begin_card: 'pago con tarjeta iniciado',
  pay: 'pagado',
  reverse: 'registro corregido',
  request: 'solicitud',
  approve: 'aprobado',
  refuse: 'no procede',
  adjust: 'monto ajustado',
  issue: 'emitida',
  register: 'te registró',
  join: 'te trajo',
  addCode: 'código agregado',
  attribute: 'te atribuyó la gerencia',
  hand_over: 'pasaste a otra persona',
  stage: 'avance de tu proyecto',
  end: 'terminó',
}
