/** The reference of the API. Everything comes from this origin, and calls go to it: with a token that is put in here and kept nowhere, or with the session of this browser. */
window.addEventListener('DOMContentLoaded', () => {
  window.SwaggerUIBundle({
    url: '/v1/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayOperationId: true,
    filter: true,
    persistAuthorization: false,
    showExtensions: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
});
