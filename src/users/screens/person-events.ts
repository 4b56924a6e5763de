import { kindLabels, type StaffKind } from '../../access/rules/actor.ts'
import { dateSpan } from '../../shared/format.ts'
import type { AgencyName, PersonEvent } from '../queries.ts'
import { type StaffPaperKind, staffPaperKinds } from '../rules/staff-paper.ts'

type Told = Pick<PersonEvent, 'from' | 'to' | 'data'>
type Words = (event: Told, agencies: readonly AgencyName[]) => string

const roleLabel = (state: string | null) => (state && kindLabels[state as StaffKind]) || 'Cliente'

function agencyLabel(id: unknown, agencies: readonly AgencyName[]): string {
  return agencies.find((agency) => agency.id === id)?.name ?? 'ninguna'
}

function spanOf(data: unknown): string {
  const { from, to } = data as { from: string; to: string }
  return dateSpan(new Date(from), new Date(to))
}

const paperLabel = (data: unknown) => staffPaperKinds[(data as { kind: StaffPaperKind }).kind].label

/** What each event of a person says to the manager; an event that is not here is not shown. */
export const personEvents: Record<string, Words> = {
  sign_up: () => 'Creó su cuenta',
  bring_over: () => 'Su cuenta se migró desde el sistema anterior',
  create_for_caller: () => 'La gerencia abrió su cuenta por teléfono',
  complete_profile: () => 'Completó su perfil',
  change_role: ({ from, to }) => `Rol: de ${roleLabel(from)} a ${roleLabel(to)}`,
  change_agency: ({ data }, agencies) => {
    const { from, to } = (data ?? {}) as { from?: unknown; to?: unknown }
    return `Concesionaria: de ${agencyLabel(from, agencies)} a ${agencyLabel(to, agencies)}`
  },
  change_shifts: () => 'Cambio de turnos',
  change_zones: () => 'Cambio de zonas',
  change_visit_card: () => 'Cambio de su foto o su vehículo',
  change_day_start: () => 'Cambio de la zona de donde sale',
  add_paper: ({ data }) => `Papel nuevo: ${paperLabel(data)}`,
  check_paper: ({ data }) => `Papel revisado: ${paperLabel(data)}`,
  remove_paper: ({ data }) => `Papel quitado: ${paperLabel(data)}`,
  add_time_off: ({ data }) => `Permiso: ${spanOf(data)}`,
  ask_time_off: ({ data }) => `Pidió permiso: ${spanOf(data)}`,
  withdraw_time_off: ({ data }) => `Retiró su solicitud de permiso: ${spanOf(data)}`,
  approve_time_off: ({ data }) => `Permiso aprobado: ${spanOf(data)}`,
  refuse_time_off: ({ data }) => `Permiso rechazado: ${spanOf(data)}`,
  remove_time_off: ({ data }) => `Permiso quitado: ${spanOf(data)}`,
  add_calendar: () => 'Conectó un calendario suyo',
  remove_calendar: () => 'Quitó un calendario suyo',
  edit_profile: () => 'Cambió sus datos',
  make_calendar_link: () => 'Creó un enlace para su calendario',
  remove_calendar_link: () => 'Quitó el enlace de su calendario',
  share_visit: () => 'Creó un enlace de su visita para su familia',
  stop_sharing_visit: () => 'Quitó el enlace de su visita para su familia',
  verify_email: () => 'Confirmó su correo',
  take_over: () => 'Llamó por teléfono: se cerró su acceso de antes, sin correo confirmado',
  disown: () => 'Se borró: su correo era de otra persona',
  change_password: () => 'Cambió su contraseña',
  reset_password: () => 'Recuperó su contraseña',
  add_passkey: () => 'Agregó una llave de acceso',
  remove_passkey: () => 'Quitó una llave de acceso',
  turn_on_second_factor: () => 'Activó su segundo factor',
  turn_off_second_factor: () => 'Desactivó su segundo factor',
  enter_by_phone_code: () => 'Entró con un código de WhatsApp',
  remove_second_factor: () => 'Se quitó su segundo factor, con sus llaves de acceso',
  correct_profile: () => 'La gerencia corrigió sus datos',
  merge: () => 'Se unió con otra ficha de la misma persona',
  merge_away: () => 'Su ficha se unió con otra de la misma persona',
  undo_merge: () => 'Se deshizo la unión con otra ficha',
  resend_access: () => 'La gerencia le mandó otra vez su acceso',
  make_access_link: () => 'La gerencia copió un enlace para que entre',
  ask_email_change: () => 'Se pidió cambiar su correo',
  cancel_email_change: () => 'Canceló el cambio de su correo',
  change_email: () => 'Cambió su correo',
  object_email_change: () => 'Su correo de antes no reconoció el cambio y recuperó la cuenta',
  link_provider: () => 'Entró con otro servicio por primera vez',
  unlink_provider: () => 'Quitó la entrada con otro servicio',
  ask_deletion: () => 'Pidió eliminar su cuenta',
  take_back_deletion: () => 'Decidió conservar su cuenta',
  erase: () => 'Se eliminaron sus datos',
  brake: () => 'La gerencia frenó su cuenta',
  release_brake: () => 'La gerencia quitó el freno de su cuenta',
  end_sessions: () => 'La gerencia cerró sus sesiones',
  restore_sessions: () => 'La gerencia le devolvió sus sesiones',
  close_network: () => 'Cerró una red por una hora',
  open_network: () => 'Abrió una red',
  activate: () => 'Cuenta activada',
  deactivate: () => 'Cuenta desactivada',
}
