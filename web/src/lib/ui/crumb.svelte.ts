/** The name of what is open, for the line at the top. */
class Crumb {
  title = $state('');
}
export const crumb = new Crumb();
