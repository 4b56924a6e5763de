/** The installation of a row of projects may be booked: the same that the customer's page calls ready. */
export const readySql = `(projects.closed_at is null and projects.quote_accepted_at is not null and projects.deposit_paid_at is not null
  and (not projects.permit_needed or projects.permit_received_at is not null)
  and not exists (select from conditions where conditions.project_id = projects.id and conditions.blocks_booking))`
