/** The answer's value. A refusal here is a defect of what the script was given, so it ends the round with its words. */
export async function must(host, tool, args) {
  const answer = await host.call(tool, args);
  if (answer.refusal) throw new Error(`${tool}: ${answer.refusal.code} ${answer.refusal.detail ?? JSON.stringify(answer.refusal.errors ?? [])}`);
  return answer.value;
}
